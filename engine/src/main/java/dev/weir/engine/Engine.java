package dev.weir.engine;

import dev.weir.engine.store.Store;
import dev.weir.engine.store.StoreFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Applies events to an application whose memory is an index of its state, one at a time, all or nothing. It knows nothing of what the
 * events are about. One event has these steps, each a method of that name:
 *
 * <ol>
 *   <li>{@link #advanceTime}: the time stands still while the clock is behind it, unless the clock went back by more than a minute;
 *   <li>{@link #recover}: builds the application's memory from its state, at the first event and after one that failed;
 *   <li>{@link #handle} the event, or {@link #fireTimers} at a tick: the application changes its memory and notes what follows from it;
 *   <li>{@link #settle}: the application works off what it has noted, until nothing is left;
 *   <li>{@link #project}: rows for readers are derived from what has changed;
 *   <li>{@link #commit}: what has changed is written to the store;
 *   <li>{@link #emit}: the effects are handed to the caller.
 * </ol>
 *
 * <p>If a step throws, nothing was written and no effect leaves; the next event recovers. If the step was about one thing that the
 * application can do without, that thing is set aside and the same event is applied again at once, so that one failing thing does not
 * take the events of all others with it. Only {@link BrokenState} is final. Not safe for
 * use by several threads.
 *
 * @param <E> events
 * @param <F> effects
 */
public final class Engine<E, F> {

    /** Timers that one tick fires: after an outage many are due at once, and no event may take long. */
    private static final int TIMERS_AT_ONCE = 1_000;
    /** How long a timer waits at which the application failed. */
    private static final long PUT_OFF_MILLIS = 60_000;

    /** A clock that went back by no more is waited for. A larger step counts as a restart, so that no timer waits for as long as the step. */
    private static final long LONGEST_STEP_BACK_MILLIS = 60_000;

    /** If more things fail in one event, they are not the cause. */
    private static final int MOST_SET_ASIDE = 3;

    /** If more things cannot be read, the state as a whole is broken. */
    private static final int MOST_RECOVERIES = 20;

    private final Store store;
    private final Recovery<E, F> recovery;
    private long now;
    /** What one recovery built; null before the first event and after one that failed. */
    private Session<F> session;

    private Application<E> application;
    /** A tick failed: fire one timer at a time, and put off the first ones that are due, which fail. */
    private boolean careful;

    private int failing;
    /** What the step was about that failed last; null when it was about nothing in particular. */
    private String suspect;

    public Engine(Store store, Recovery<E, F> recovery) {
        this.store = store;
        this.recovery = recovery;
    }

    /**
     * Applies one event.
     *
     * @param nowMillis milliseconds since 1970; a time up to a minute before the last one counts as the last one, an earlier one as a restart
     * @return the effects, in the order in which they were decided; the list is the caller's
     */
    public List<F> apply(E event, long nowMillis) {
        return run(Objects.requireNonNull(event, "event"), nowMillis);
    }

    /**
     * Fires timers that are due, a thousand at most; if more are due, so is the next tick. If that fails, the next ticks fire one each and delay a failing timer for a minute, so that one
     * of them does not stop all others.
     */
    public List<F> tick(long nowMillis) {
        if (careful) {
            failing++;
            List<F> effects = run(null, nowMillis);
            failing = 0;
            careful = nextDeadlineMillis() <= now;
            return effects;
        }
        careful = true;
        List<F> effects = run(null, nowMillis);
        careful = false;
        return effects;
    }

    /** When a tick is needed, in milliseconds since 1970; {@link Long#MIN_VALUE} before the first event. */
    public long nextDeadlineMillis() {
        return application == null ? Long.MIN_VALUE : application.nextDeadlineMillis();
    }

    /** Whether an event at this time, in milliseconds since 1970, builds the memory again, because the clock went back. */
    public boolean isStepBack(long nowMillis) {
        return nowMillis < now - LONGEST_STEP_BACK_MILLIS;
    }

    /** The time of the last event, in milliseconds since 1970. */
    public long now() {
        return now;
    }

    private List<F> run(E event, long nowMillis) {
        Map<String, Throwable> aside = Map.of();
        while (true) {
            try {
                return runWithout(aside, event, nowMillis);
            } catch (BrokenState | StoreFailure e) {
                throw e;
            } catch (RuntimeException | StackOverflowError e) {
                if (suspect == null || aside.size() == MOST_SET_ASIDE || aside.containsKey(suspect)) {
                    throw e;
                }
                aside = new LinkedHashMap<>(aside);
                aside.put(suspect, e);
            }
        }
    }

    /** @param aside what is to take no part in the event, and why */
    private List<F> runWithout(Map<String, Throwable> aside, E event, long nowMillis) {
        boolean complete = false;
        suspect = null;
        try {
            advanceTime(nowMillis);
            recover();
            for (Map.Entry<String, Throwable> one : aside.entrySet()) {
                if (!application.setAside(one.getKey(), one.getValue().toString())) {
                    throw new IllegalStateException(one.getValue().toString(), one.getValue());
                }
            }
            if (event == null) {
                fireTimers();
            } else {
                handle(event);
            }
            settle();
            project();
            commit();
            complete = true;
            return emit();
        } finally {
            if (!complete) {
                suspect = application == null ? null : application.suspect();
                session = null;
                application = null;
            }
        }
    }

    private void advanceTime(long nowMillis) {
        if (isStepBack(nowMillis)) {
            now = nowMillis;
            session = null;
            application = null;
        }
        now = Math.max(now, nowMillis);
    }

    private void recover() {
        for (int times = 1; application == null; times++) {
            try {
                session = new Session<>(store, now);
                application = recovery.recover(session);
            } catch (Recovery.Again e) {
                if (times == MOST_RECOVERIES) {
                    throw new BrokenState("the state cannot be read", e);
                }
            } catch (RuntimeException | Error e) {
                throw new BrokenState("the state cannot be read", e);
            }
        }
        session.advanceTo(now);
    }

    private void handle(E event) {
        try {
            application.handle(event);
        } catch (Refused refused) {
            application.refuse(refused);
        }
    }

    private void fireTimers() {
        TimerHeap timers = session.timers();
        long tick = timers.beginTick();
        if (careful && failing > 0) {
            // The first of these failed before.
            for (int i = 1; i < failing; i++) {
                Timer putOff = timers.pollDue(now, tick);
                if (putOff != null) {
                    timers.set(putOff, now + PUT_OFF_MILLIS);
                }
            }
            Timer one = timers.pollDue(now, tick);
            if (one != null) {
                application.fire(one);
            }
            return;
        }
        Timer due;
        for (int i = 0; i < TIMERS_AT_ONCE && (due = timers.pollDue(now, tick)) != null; i++) {
            application.fire(due);
        }
    }

    private void settle() {
        application.settle();
    }

    private void project() {
        application.project();
    }

    private void commit() {
        try {
            session.work().commit();
        } catch (RuntimeException | Error e) {
            throw new BrokenState("an event was written in part", e);
        }
    }

    private List<F> emit() {
        return session.effects().drain();
    }
}
