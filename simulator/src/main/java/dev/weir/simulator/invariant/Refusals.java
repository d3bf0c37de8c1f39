package dev.weir.simulator.invariant;

import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Route;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.scenario.Scenario;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every refusal has a reason of an allowed kind, and messages that make no sense are refused.
 *
 * <table>
 * <caption>What may be refused</caption>
 * <tr><th>message</th><th>when</th><th>field</th></tr>
 * <tr><td>task</td><td>its uid was sent with other contents, or was rejected after it had been accepted</td><td>uid</td></tr>
 * <tr><td>limit</td><td>its group is called as those of a rule that there is not</td><td>group</td></tr>
 * <tr><td>command about a task</td><td>any</td><td>task_uid, position</td></tr>
 * <tr><td>report of a stranger</td><td>any</td><td>any</td></tr>
 * <tr><td>one that waited for its task</td><td>at a tick, or when its task or a page comes</td><td>task_uid, position, route, job_uid</td></tr>
 * </table>
 */
final class Refusals {

    /** The pilot in whose name the scenario sends garbage. */
    static final String STRANGER = "stranger";

    private static final Set<String> OF_COMMANDS = Set.of("task_uid", "position");
    private static final Set<String> OF_REPORTS = Set.of("route", "job_uid");

    private final Scenario scenario;
    /** Every task message that came in this lane, by uid. */
    private final Map<String, Set<Task>> tasks = new HashMap<>();
    /** Tasks that were announced as rejected, also if a restore has taken that back. */
    private final Set<String> rejected = new HashSet<>();

    Refusals(Scenario scenario) {
        this.scenario = scenario;
    }

    void check(Event event, List<Effect> effects) {
        if (event instanceof Event.TaskArrived arrived) {
            tasks.computeIfAbsent(arrived.task().uid(), uid -> new HashSet<>()).add(arrived.task());
        }
        boolean refused = false;
        for (Effect effect : effects) {
            if (effect instanceof Effect.Announce announce && announce.event().state() == TaskState.REJECTED) {
                rejected.add(announce.event().taskUid());
            } else if (effect instanceof Effect.Reject refuse) {
                boolean waited = refuse.waited() != null;
                Violation.check(
                        waited ? afterWaiting(event, refuse) : atOnce(event, refuse),
                        "every refusal has a reason of an allowed kind",
                        event,
                        "and",
                        refuse);
                refused |= !waited;
            }
        }
        if (event instanceof Event.ReportArrived arrived && isGarbage(arrived.report())) {
            Violation.check(refused, "messages that make no sense are refused", event);
        }
    }

    private boolean atOnce(Event event, Effect.Reject refuse) {
        if (event instanceof Event.TaskArrived arrived) {
            String uid = arrived.task().uid();
            return "uid".equals(refuse.field()) && (tasks.get(uid).size() > 1 || rejected.contains(uid));
        } else if (event instanceof Event.CommandArrived arrived) {
            return arrived.command() instanceof Command.Limit limit
                    ? "group".equals(refuse.field()) && scenario.lacksRule(limit.group())
                    : arrived.command().type().subject() == Command.Subject.TASK
                            && OF_COMMANDS.contains(refuse.field());
        }
        return event instanceof Event.ReportArrived arrived && STRANGER.equals(pilot(arrived.report()));
    }

    private static boolean afterWaiting(Event event, Effect.Reject refuse) {
        boolean comes = event instanceof Event.TaskArrived || event instanceof Event.Tick;
        return refuse.waited() instanceof Command
                ? comes && OF_COMMANDS.contains(refuse.field())
                : (comes || event instanceof Event.PageArrived) && OF_REPORTS.contains(refuse.field());
    }

    private static String pilot(Report report) {
        if (report instanceof Status status) {
            return status.pilotId();
        } else if (report instanceof Result result) {
            return result.pilotId();
        }
        return report instanceof Heartbeat heartbeat ? heartbeat.pilotId() : null;
    }

    /** Whether a report can be about no job, whatever is known of tasks: no such pool, no route, or the route of another job. */
    private boolean isGarbage(Report report) {
        if (report instanceof Heartbeat heartbeat) {
            return !scenario.options().pools().containsKey(heartbeat.pool());
        } else if (report instanceof Status status) {
            return !isOfRoute(status.jobUid(), status.route());
        }
        return report instanceof Result result && !isOfRoute(result.jobUid(), result.route());
    }

    private static boolean isOfRoute(String jobUid, String encoded) {
        try {
            Route route = Route.decode(encoded);
            return jobUid.startsWith(route.taskUid() + '.' + route.position() + '.');
        } catch (InvalidMessage e) {
            return false;
        }
    }
}
