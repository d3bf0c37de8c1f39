package dev.weir.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The clock on which leases run. It advances when a beat that we sent to ourselves is heard, by the time since the beat before but
 * never by more than one interval. So while the broker or Weir is unavailable no lease runs out, and reports that waited are heard before the
 * beats that would have expired their leases.
 *
 * <p>Beats are sent while there is a lease. Leases have an order: of those that run out at the same beat, the ones of order 0
 * expire first, then those of order 1, and so on.
 */
public final class LeaseClock {

    private final Session<?> session;
    private final EngineRecord record;
    private final long intervalMillis;
    private final Runnable sendBeat;
    private final Timer next;
    private final List<TimerHeap> leases = new ArrayList<>();
    /** When the last beat was sent, in milliseconds since 1970; 0 before the first of this session. */
    private long sentAt;

    /**
     * @param orders how many orders there are
     * @param intervalMillis between two beats
     * @param beat the kind of the timer at which {@link #beat} is to be called
     * @param sendBeat sends a beat that comes back as an event, at which {@link #heard} is to be called
     */
    public LeaseClock(Session<?> session, int orders, long intervalMillis, Enum<?> beat, Runnable sendBeat) {
        this.session = session;
        this.intervalMillis = intervalMillis;
        this.sendBeat = sendBeat;
        record = session.record();
        next = new Timer(beat, this);
        for (int order = 0; order < orders; order++) {
            leases.add(new TimerHeap());
        }
        if (record.beatHeardAt > session.now()) {
            // A clock that was far ahead before a restart does not stop this one until its time has come.
            record.beatHeardAt = session.now();
            session.work().changed(record);
        }
    }

    /** The present reading, in milliseconds. */
    public long now() {
        return record.beatClock;
    }

    /** Sets a lease that runs out at a reading of this clock, and sees to it that beats are sent. */
    public void set(Timer lease, int order, long until) {
        leases.get(order).set(lease, until);
        if (!next.isSet()) {
            session.timers().set(next, session.now());
        }
    }

    public void clear(Timer lease, int order) {
        leases.get(order).clear(lease);
    }

    /** Sends a beat at once, also if there is no lease. */
    public void sendFirst() {
        send();
        session.timers().set(next, session.now() + intervalMillis);
    }

    /** The time of the next beat has come. */
    public void beat() {
        if (hasLeases()) {
            send();
            session.timers().set(next, session.now() + intervalMillis);
        }
    }

    private boolean hasLeases() {
        for (int order = 0; order < leases.size(); order++) {
            if (leases.get(order).nextAt() != Long.MAX_VALUE) {
                return true;
            }
        }
        return false;
    }

    private void send() {
        sendBeat.run();
        sentAt = session.now();
    }

    /** A beat has come back: the clock advances. {@link #pollExpired} gives the leases that have run out. */
    public void heard() {
        long now = session.now();
        long since = record.beatHeardAt == 0 ? 0 : Math.max(0, now - record.beatHeardAt);
        record.beatClock += Math.min(since, intervalMillis);
        record.beatHeardAt = Math.max(record.beatHeardAt, now);
        session.work().changed(record);
    }

    /** Removes and returns the next lease that has run out; null when none has. */
    public Timer pollExpired() {
        for (int order = 0; order < leases.size(); order++) {
            Timer expired = leases.get(order).pollDue(record.beatClock);
            if (expired != null) {
                return expired;
            }
        }
        return null;
    }

    /** Whether what we send comes back: the last beat did, or is not late yet. */
    public boolean isHeard() {
        return session.now() - record.beatHeardAt <= 2 * intervalMillis;
    }

    /**
     * Sends a beat if none comes back only because there is no lease.
     *
     * @return when it should be back, in milliseconds since 1970; 0 if it is known already whether beats come back
     */
    public long probe() {
        if (next.isSet() || isHeard()) {
            return 0;
        }
        if (session.now() - sentAt >= intervalMillis) {
            send();
        }
        return session.now() + intervalMillis;
    }
}
