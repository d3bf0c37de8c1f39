package dev.weir.engine;

import dev.weir.engine.store.Store;

/**
 * What an application and its engine share from one recovery to the next: the time, the unit of work and the effects of the event at
 * hand, and the timers.
 *
 * @param <F> effects
 */
public final class Session<F> {

    private final long beganAt;
    private final UnitOfWork work;
    private final Outbox<F> effects = new Outbox<>();
    private final TimerHeap timers = new TimerHeap();
    private final EngineRecord record;
    private long now;

    /** Begins at a time, in milliseconds since 1970. */
    public Session(Store store, long nowMillis) {
        beganAt = nowMillis;
        now = nowMillis;
        work = new UnitOfWork(store);
        EngineRecord stored = store.get(EngineTables.ENGINE, "");
        record = stored == null ? new EngineRecord() : stored;
    }

    void advanceTo(long nowMillis) {
        now = nowMillis;
    }

    /** The time of the event at hand, in milliseconds since 1970. */
    public long now() {
        return now;
    }

    /** When the memory was built. What left between the state's last write and then is not remembered. */
    public long beganAt() {
        return beganAt;
    }

    public UnitOfWork work() {
        return work;
    }

    public Outbox<F> effects() {
        return effects;
    }

    /** Timers on the wall clock, in milliseconds since 1970. */
    public TimerHeap timers() {
        return timers;
    }

    /** The next number of a sequence that never repeats one: 0, 1, 2, … */
    public long nextNumber() {
        work.changed(record);
        return record.allocated++;
    }

    EngineRecord record() {
        return record;
    }
}
