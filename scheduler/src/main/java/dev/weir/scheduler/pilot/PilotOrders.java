package dev.weir.scheduler.pilot;

import dev.weir.engine.Timer;
import dev.weir.scheduler.model.KnownPilot;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.TimerKind;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.PilotRecord.Use;
import java.util.LinkedHashSet;

/** What pilots are told: whether they may take jobs, and which to stop. A thousand orders to an event; the rest follows with the next tick. */
final class PilotOrders {

    private static final int PILOTS_AT_ONCE = 1_000;
    private static final int JOBS_AT_ONCE = 1_000;

    private final Lane lane;
    private final NodeHealth nodes;
    private final Notices notices;
    /** Pilots that are to be notified whether they may take jobs: a node may have thousands. */
    private final LinkedHashSet<KnownPilot> toSteer = new LinkedHashSet<>();
    /** Excluded pilots that may have jobs to be stopped still: a pilot that lies may have started thousands. */
    private final LinkedHashSet<KnownPilot> toStop = new LinkedHashSet<>();

    private final Timer more = new Timer(TimerKind.PILOTS, this);

    PilotOrders(Lane lane, NodeHealth nodes, Notices notices) {
        this.lane = lane;
        this.nodes = nodes;
        this.notices = notices;
    }

    /** At the end of the event, or with a tick after it. */
    void steerLater(KnownPilot pilot) {
        toSteer.add(pilot);
    }

    /** Notifies the first of these pilots, unless a tick is to go on with it. */
    void begin() {
        if (!more.isSet() && !toSteer.isEmpty()) {
            steerSome();
        }
    }

    /** A pilot is excluded: its jobs are to run elsewhere. */
    void stopJobs(KnownPilot pilot) {
        if (!takeJobsFrom(pilot.record.id)) {
            stopJobsLater(pilot);
        }
    }

    void stopJobsLater(KnownPilot pilot) {
        toStop.add(pilot);
        goOnIfNeeded();
    }

    /** More is to be done about pilots than the event before was allowed to. */
    void goOn() {
        steerSome();
        stopSome();
    }

    private void steerSome() {
        for (int i = 0; i < PILOTS_AT_ONCE && !toSteer.isEmpty(); i++) {
            KnownPilot pilot = toSteer.iterator().next();
            toSteer.remove(pilot);
            if (!pilot.gone) {
                lane.changed(pilot);
                steer(pilot);
            }
        }
        goOnIfNeeded();
    }

    private void stopSome() {
        if (!toStop.isEmpty()) {
            KnownPilot pilot = toStop.iterator().next();
            if (pilot.gone || pilot.record.use != Use.EXCLUDE || takeJobsFrom(pilot.record.id)) {
                toStop.remove(pilot);
            }
        }
        goOnIfNeeded();
    }

    private void goOnIfNeeded() {
        if (!toSteer.isEmpty() || !toStop.isEmpty()) {
            lane.timers.set(more, lane.now());
        }
    }

    /** Notifies a pilot at once whether it may take jobs. */
    void steer(KnownPilot pilot) {
        if (!drainIfUnwanted(pilot)) {
            notices.resume(pilot.record.id);
        }
    }

    /**
     * Orders a pilot without a right to work to take no job for the length of a lease. The order is repeated at each heartbeat, so it lasts,
     * and a forgotten notice cannot keep a pilot from work. Returns whether the order was sent.
     */
    boolean drainIfUnwanted(KnownPilot pilot) {
        PilotRecord r = pilot.record;
        String why = r.use != Use.NORMAL ? unwanted(r) : nodes.unwanted(pilot.nodeName(), r.jobUid);
        if (why != null) {
            notices.drain(r.id, why);
        }
        return why != null;
    }

    static String unwanted(PilotRecord r) {
        return "pilot " + r.id + (r.use == Use.DRAIN ? " is to be drained" : " is excluded");
    }

    /** What it has started is to run elsewhere. Returns whether that was all. */
    private boolean takeJobsFrom(String pilotId) {
        int stopped = 0;
        for (LiveJob job : lane.jobs.values()) {
            JobRecord r = job.record;
            if (job.isStarted() && pilotId.equals(r.pilot) && r.order == JobRecord.Order.NONE) {
                if (stopped++ == JOBS_AT_ONCE) {
                    return false;
                }
                r.order = JobRecord.Order.KILL;
                r.errorMessage = "pilot " + pilotId + " is excluded";
                lane.changed(job);
                notices.stop(job);
            }
        }
        return true;
    }
}
