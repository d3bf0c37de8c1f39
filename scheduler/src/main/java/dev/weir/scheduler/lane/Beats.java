package dev.weir.scheduler.lane;

import dev.weir.protocol.Beat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Route;
import dev.weir.scheduler.state.LaneRecord;
import java.time.Instant;

/**
 * The clock on which leases run. It advances when a beat that we sent ourselves is heard, by the time since the one before but
 * never by more than a heartbeat interval: while the broker or we are away nobody's lease runs out, and reports that waited are
 * heard before the beats that would have expired their jobs.
 */
final class Beats {

    private static final String NOBODY = "weir";

    private final Lane lane;
    private final Timer next = new Timer(this::send);

    /** When the last one was sent, in milliseconds since 1970; 0 since we started. */
    private long sentAt;

    Beats(Lane lane) {
        this.lane = lane;
    }

    /** After a restore: a clock that was far ahead does not stop that of the leases until its time has come. */
    void heal() {
        if (lane.record.beatHeardAt > lane.now) {
            lane.record.beatHeardAt = lane.now;
            lane.writes.laneChanged();
        }
    }

    /** Somebody has a lease. */
    void needed() {
        if (!next.isSet()) {
            lane.wall.set(next, lane.now);
        }
    }

    /** After a restore. */
    void neededIfAnyLease() {
        if (anyLease()) {
            needed();
        }
    }

    private void send() {
        if (anyLease()) {
            sendOne();
            lane.wall.set(next, lane.now + intervalMillis());
        }
    }

    private void sendOne() {
        String route = new Route(lane.number, 0, NOBODY).encoded();
        lane.effects.beat(new Beat(Instant.ofEpochMilli(lane.now), route));
        sentAt = lane.now;
    }

    /**
     * Sends one if none comes back only because nobody has a lease.
     *
     * @return when it should be back, in milliseconds since 1970; 0 if none is needed for that
     */
    long ask() {
        if (next.isSet() || areHeard()) {
            return 0;
        }
        if (lane.now - sentAt >= intervalMillis()) {
            sendOne();
        }
        return lane.now + intervalMillis();
    }

    private boolean anyLease() {
        return lane.leases.nextAt() != Long.MAX_VALUE || lane.pilotLeases.nextAt() != Long.MAX_VALUE;
    }

    /** Whether what is sent comes back: the last one did, or it is not late yet. */
    boolean areHeard() {
        return lane.now - lane.record.beatHeardAt <= 2 * intervalMillis();
    }

    private long intervalMillis() {
        return lane.options.pilots().heartbeat().toMillis();
    }

    void arrived(Beat beat) {
        try {
            if (Route.decode(beat.route()).lane() != lane.number) {
                return;
            }
        } catch (InvalidMessage e) {
            throw new Refused("route", e.getMessage());
        }
        LaneRecord record = lane.record;
        if (beat.sentAt() != null) {
            long roundTrip = lane.now - beat.sentAt().toEpochMilli();
            for (PoolEntry pool : lane.pools.values()) {
                pool.handover.beatCameBack(roundTrip);
                // Its window may have grown.
                lane.mayStart(pool);
            }
        }
        long since = record.beatHeardAt == 0 ? 0 : Math.max(0, lane.now - record.beatHeardAt);
        record.beatClock += Math.min(since, intervalMillis());
        record.beatHeardAt = Math.max(record.beatHeardAt, lane.now);
        lane.writes.laneChanged();
        // Jobs first: a pilot that is forgotten has no node that its lost job could count against.
        expire(lane.leases);
        expire(lane.pilotLeases);
    }

    private void expire(TimerHeap leases) {
        long clock = lane.record.beatClock;
        for (Timer due = leases.pollDue(clock); due != null; due = leases.pollDue(clock)) {
            due.action.run();
        }
    }
}
