package dev.weir.simulator.world;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Route;
import dev.weir.protocol.Status;
import dev.weir.scheduler.api.Event;

/**
 * Finds the lane of an event, as the Flink job does: by the task's uid, for reports by the route that the lane gave. What concerns all
 * lanes (idle heartbeats; commands about limits, pools and pilots; ticks) has none.
 */
final class Routing {

    /** Instead of a lane. */
    static final int ALL = -1;

    private final int lanes;

    Routing(int lanes) {
        this.lanes = lanes;
    }

    int ofTask(String uid) {
        return Math.floorMod(uid.hashCode() * 0x9E3779B9 >>> 8, lanes);
    }

    int of(Event event) {
        if (event instanceof Event.TaskArrived arrived) {
            return ofTask(arrived.task().uid());
        } else if (event instanceof Event.PageArrived page) {
            return ofTask(page.taskUid());
        } else if (event instanceof Event.PageFailed failed) {
            return ofTask(failed.taskUid());
        } else if (event instanceof Event.ReportArrived arrived) {
            return ofReport(arrived.report());
        } else if (event instanceof Event.CommandArrived arrived
                && arrived.command() instanceof Command.AboutTask about) {
            return ofTask(about.taskUid());
        }
        return ALL;
    }

    private int ofReport(Report report) {
        if (report instanceof Heartbeat heartbeat) {
            return heartbeat.jobUid() == null ? ALL : ofRoute(heartbeat.route());
        } else if (report instanceof Status status) {
            return ofRoute(status.route());
        } else if (report instanceof Result result) {
            return ofRoute(result.route());
        }
        return ofRoute(((Beat) report).route());
    }

    /** A route that says nothing goes to the first lane, which refuses it as any would. */
    private int ofRoute(String route) {
        try {
            int lane = Route.decode(route).lane();
            return lane < lanes ? lane : 0;
        } catch (InvalidMessage e) {
            return 0;
        }
    }
}
