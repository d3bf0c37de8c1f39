package dev.weir.simulator.invariant;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Report;
import dev.weir.protocol.Status;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is true of every event of one core between two restores. It knows of this core only what that has said itself: a job counts as out
 * from the row that says so to the row that ends it. So whatever it counts the core must count too, and nothing has to be allowed for.
 */
public final class Invariants {

    /** A job that is out, as this core has shown. */
    private record Out(String pool, List<String> groups, long sentAt) {}

    /** How long a core waits for its first beat at most. */
    private static final long CATCH_UP_MILLIS = 60_000;

    private final Scenario scenario;
    private final Outside outside;
    private final Groups groups;
    private final Refusals refusals;
    private final SentJob sentJob;
    private final Map<String, Out> out = new HashMap<>();
    private final Map<String, Integer> outOfPool = new HashMap<>();
    /** The last row of each job. */
    private final Map<String, JobRow> shown = new HashMap<>();
    /** Jobs that ended with an output, and their last attempt then. */
    private final Map<String, Integer> outputUpTo = new HashMap<>();
    /** Tasks that this core has accepted, and that it has ended. */
    private final Set<String> accepted = new HashSet<>();

    private final Set<String> ended = new HashSet<>();
    private final Leases leases;
    private boolean begun;
    /** Whether reports that waited are to be read before anything starts. */
    private boolean catchesUp;

    private long begunAt;

    public Invariants(Scenario scenario, Outside outside) {
        this(scenario, outside, new Groups(scenario), new Refusals(scenario));
    }

    private Invariants(Scenario scenario, Outside outside, Groups groups, Refusals refusals) {
        this.scenario = scenario;
        this.outside = outside;
        this.groups = groups;
        this.refusals = refusals;
        sentJob = new SentJob(scenario, outside);
        leases = new Leases(scenario);
    }

    /** For the core that is restored from the present state. */
    public Invariants restored() {
        return new Invariants(scenario, outside, groups.restored(), refusals);
    }

    public Groups groups() {
        return groups;
    }

    /** The core has forgotten what happened since its state was written. */
    public void catchUp() {
        catchesUp = true;
    }

    /** Judges what the core did with an event. */
    public void check(Event event, long now, List<Effect> effects) {
        if (!begun) {
            begun = true;
            begunAt = now;
            groups.noLaterThan(now);
        }
        if (event instanceof Event.CommandArrived arrived) {
            Command command = arrived.command();
            if (command instanceof Command.Limit limit) {
                if (effects.stream().noneMatch(effect -> effect instanceof Effect.Reject)) {
                    groups.command(limit, now);
                }
            } else if (command instanceof Command.TaskAction action && action.type() == Command.Type.RETRY_FAILED) {
                outside.retryAsked(action);
            }
        }
        refusals.check(event, effects);
        Report report = event instanceof Event.ReportArrived arrived ? arrived.report() : null;
        leases.begin(report, now);
        boolean isOwnBeat = report instanceof Beat beat
                && beat.sentAt() != null
                && beat.sentAt().toEpochMilli() >= begunAt;
        catchesUp &= !isOwnBeat && now < begunAt + CATCH_UP_MILLIS;
        Set<String> sent = new HashSet<>();
        Registration.File output = null;
        for (Effect effect : effects) {
            if (effect instanceof Effect.SendJob send) {
                sent.add(send.job().uid());
                sentJob.check(send.pool(), send.job());
                sent(send, now);
            } else if (effect instanceof Effect.ShowRow show && show.row() instanceof JobRow row) {
                row(row, sent, report instanceof Beat, now);
                if (row.status().isTerminal() && output != null && row.uid().equals(output.jobUid())) {
                    accepted(row, output);
                }
            } else if (effect instanceof Effect.Register register
                    && register.registration() instanceof Registration.File file) {
                output = file;
            } else if (effect instanceof Effect.Announce announce) {
                announced(announce.event().taskUid(), announce.event().state());
            }
        }
        if (report instanceof Status || report instanceof Heartbeat) {
            isOwnerOrIsStopped(report, effects);
        }
    }

    /** A job is over, and an output of it is registered. */
    private void accepted(JobRow row, Registration.File output) {
        String id = output.id();
        int attempt = Integer.parseInt(id.substring(row.uid().length() + 1, id.lastIndexOf('/')));
        Integer before = outputUpTo.put(row.uid(), row.attempt());
        Violation.check(
                before == null || attempt > before,
                "a job that is over with an output gets another one only of a later attempt",
                output,
                "after",
                before);
        if (row.status() == JobStatus.FINISHED) {
            outside.accepted(output);
        }
    }

    /** A job that is out already is sent again: not before its time. One that is not out is judged by its row, which follows. */
    private void sent(Effect.SendJob send, long now) {
        Job job = send.job();
        Out before = out.get(job.uid());
        if (before != null) {
            JobRow row = shown.get(job.uid());
            boolean same = row.status() == JobStatus.QUEUED && row.attempt() == job.attempt();
            long timeout = scenario.options().attempts().queuedTimeout().toMillis();
            Violation.check(
                    same && now - before.sentAt >= timeout,
                    "a job is sent again only while it is queued, and not before queued-timeout",
                    row,
                    "was sent",
                    now - before.sentAt,
                    "ms ago, and now",
                    job);
            out.put(job.uid(), new Out(before.pool, before.groups, now));
        }
    }

    /** @param sent uids of the jobs that went out in this event; their rows follow */
    private void row(JobRow row, Set<String> sent, boolean isBeat, long now) {
        outside.identified(row.taskUid(), row.position(), row.uid());
        JobRow before = shown.put(row.uid(), row);
        Violation.check(!Refusals.STRANGER.equals(row.pilotId()), "strangers own no jobs", row);
        boolean isOut = isOut(row.status());
        Out known = out.get(row.uid());
        if (isOut && known == null) {
            boolean starts = row.status() == JobStatus.QUEUED && sent.contains(row.uid());
            takesPlaces(row, starts, before, now);
        } else if (!isOut && known != null) {
            out.remove(row.uid());
            outOfPool.merge(known.pool, -1, Integer::sum);
            known.groups.forEach(groups::ends);
        }
        if (before != null && isBeat && isStarted(before.status()) && !isOut) {
            leases.expired(row, now);
        }
    }

    private void takesPlaces(JobRow row, boolean starts, JobRow before, long now) {
        List<String> keys = sentJob.groupsOf(row);
        if (starts) {
            Violation.check(!catchesUp, "after a restore nothing starts before the reports that waited are read", row);
            Violation.check(
                    outOfPool.getOrDefault(row.pool(), 0) < window(row.pool()),
                    "the window of a pool is not exceeded",
                    row.pool(),
                    "has",
                    outOfPool.get(row.pool()),
                    "jobs out of",
                    window(row.pool()),
                    "when",
                    row);
            Violation.check(
                    before == null || row.attempt() == before.attempt() + 1,
                    "attempts count one by one",
                    before,
                    "and then",
                    row);
            keys.forEach(key -> groups.starts(key, now, row.uid()));
        } else {
            keys.forEach(groups::takes);
        }
        out.put(row.uid(), new Out(row.pool(), keys, now));
        outOfPool.merge(row.pool(), 1, Integer::sum);
    }

    private int window(String pool) {
        PoolOptions options = scenario.options().pools().get(pool);
        return options.window() == PoolOptions.AUTO ? options.windowMax() : options.window();
    }

    private static boolean isStarted(JobStatus status) {
        return status == JobStatus.STARTING || status == JobStatus.RUNNING;
    }

    private static boolean isOut(JobStatus status) {
        return status == JobStatus.QUEUED || isStarted(status);
    }

    private void announced(String task, TaskState state) {
        outside.promises().announced(task, state, outside.plan(task).dataset().isReadable());
        Violation.check(!ended.contains(task), "nothing is announced of a task after its end", task, state);
        Violation.check(state != TaskState.ACCEPTED || accepted.add(task), "a task is accepted once", task);
        if (state.isTerminal()) {
            ended.add(task);
        }
    }

    /** A pilot that goes on with a job which this core has shown owns it, or is told to stop. */
    private void isOwnerOrIsStopped(Report report, List<Effect> effects) {
        String pilot;
        String uid;
        Integer attempt;
        if (report instanceof Status status) {
            pilot = status.pilotId();
            uid = status.jobUid();
            attempt = status.attempt();
        } else {
            Heartbeat heartbeat = (Heartbeat) report;
            pilot = heartbeat.pilotId();
            uid = heartbeat.jobUid();
            attempt = heartbeat.attempt();
        }
        JobRow row = shown.get(uid);
        if (row == null || pilot.equals(Refusals.STRANGER)) {
            return;
        }
        boolean owns = isStarted(row.status()) && row.attempt() == attempt && pilot.equals(row.pilotId());
        if (owns) {
            leases.renewed(uid);
            return;
        }
        List<Notice> notices = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.SendNotice sent && sent.pilotId().equals(pilot)) {
                notices.add(sent.notice());
            }
        }
        Violation.check(
                notices.stream().anyMatch(notice -> uid.equals(notice.jobUid()) && attempt.equals(notice.attempt())),
                "a pilot that does not own the attempt which it reports is told to stop in the same event",
                report,
                "but",
                row,
                "and",
                notices);
    }
}
