package dev.weir.simulator.truth;

import dev.weir.protocol.JobRow;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.world.Effect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must be true of the core, kept beside it event by event from the design alone. Before an event the ledger decides what
 * may follow; afterwards it judges every effect, follows what the core chose where several things are right, and throws a
 * {@link Violation} where the core did what it must not, or did not do what it must.
 *
 * <p>It goes back with the core when that is restored ({@link #copy}); what can't go back is in the {@link Archive}.
 */
public final class Ledger {

    private final State state;
    private final Archive archive;
    private final Map<String, Fairness> fairness = new HashMap<>();
    private final Reports reports;
    private final Commands commands;
    private final Intake intake;
    private final Attempts attempts;
    private final Claims claims;
    private final Rows rows;
    private final Pilots pilots;
    private final Nodes nodes;
    private final Notices notices;
    private final Admission admission;
    private final Releases releases;
    private final Closure closure;
    private final Always always;
    private Context context;

    public Ledger(Scenario scenario, Archive archive) {
        this(new State(scenario), archive);
    }

    private Ledger(State state, Archive archive) {
        this.state = state;
        this.archive = archive;
        state.pools.keySet().forEach(pool -> fairness.put(pool, new Fairness()));
        this.nodes = new Nodes(state);
        this.pilots = new Pilots(state);
        this.reports = new Reports(state, pilots);
        this.commands = new Commands(state);
        this.intake = new Intake(state, commands);
        this.attempts = new Attempts(state, reports, commands, nodes);
        this.claims = new Claims(state, attempts, nodes);
        this.rows = new Rows(state, archive);
        this.notices = new Notices(state, nodes);
        this.admission = new Admission(state);
        this.releases = new Releases(state, archive, fairness, admission);
        this.closure = new Closure(state, archive);
        this.always = new Always(state, fairness, pilots);
    }

    /** An independent ledger that knows the same; fairness is watched anew, as a restored core starts its rounds anew. */
    public Ledger copy() {
        return new Ledger(state.copy(), archive);
    }

    /** The core has been restored to where this ledger is. */
    public void restored() {
        fairness.values().forEach(Fairness::interruptAll);
        pilots.restored();
    }

    /** Decides what the event may and must lead to. */
    public void begin(Event event, long now) {
        context = new Context(event, now);
        long waitMillis = state.scenario.options().commands().waitForTask().toMillis();
        context.expired = (int) state.waiting.stream()
                .filter(waiting -> now - waiting.since() >= waitMillis)
                .count();
        admission.begin(event);
        if (event instanceof Event.TaskArrived arrived) {
            intake.task(context, arrived.task());
        } else if (event instanceof Event.CommandArrived arrived) {
            commands.begin(arrived.command(), context);
        } else if (event instanceof Event.ReportArrived arrived) {
            reports.begin(arrived.report(), context);
        } else if (event instanceof Event.PageArrived page) {
            intake.page(context, page);
            admission.pageCame(state.tasks.get(page.taskUid()));
        } else if (event instanceof Event.PageFailed failed) {
            intake.pageFailed(context, failed);
        }
    }

    /** Judges what the core did with the event. */
    public void end(List<Effect> effects) {
        refusals(effects);
        // In the order in which the core came to them: what fails and finishes in one event is counted in that order.
        Map<String, JobRow> jobs = new LinkedHashMap<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Mirror mirror && mirror.row() instanceof JobRow row) {
                jobs.remove(row.uid());
                jobs.put(row.uid(), row);
            }
        }
        for (JobRow row : jobs.values()) {
            rows.identify(row);
        }
        jobs.values().forEach(row -> claims.claimed(context, row));
        attempts.reported(context, jobs);
        Set<String> stopped = new HashSet<>();
        TaskRow last = null;
        for (Effect effect : effects) {
            judge(effect, stopped, jobs);
            if (effect instanceof Effect.Mirror mirror
                    && mirror.row() instanceof TaskRow row
                    && settlesAtEnd(state.tasks.get(row.uid()))) {
                last = row;
            } else if (effect instanceof Effect.Mirror mirror
                    && mirror.row() instanceof JobRow row
                    && settlesAtEnd(state.tasks.get(row.taskUid()))) {
                // More of its jobs ended: the next row of the task counts them.
                last = null;
            }
        }
        if (last != null) {
            rows.counts(last);
        }
        notices.heardToStop(context, stopped);
        nodes.end(context);
        pilots.end();
        admission.end(context.now);
        always.tasks(context);
    }

    /** Whether so much happens to the task in the event that only its last row can be compared. */
    private boolean settlesAtEnd(TaskTruth task) {
        boolean comes =
                task != null && context.accepting != null && task.task.uid().equals(context.accepting.uid());
        return task == context.stopping || comes;
    }

    private void judge(Effect effect, Set<String> stopped, Map<String, JobRow> last) {
        if (effect instanceof Effect.Job job) {
            releases.release(job.pool(), job.job(), context.now);
        } else if (effect instanceof Effect.Mirror mirror && mirror.row() instanceof JobRow row) {
            attempts.lost(context, row);
            if (last.get(row.uid()) == row) {
                rows.agrees(context, row);
            }
        } else if (effect instanceof Effect.Mirror mirror && mirror.row() instanceof TaskRow row) {
            TaskTruth task = state.tasks.get(row.uid());
            if (!settlesAtEnd(task)) {
                rows.counts(row);
            }
        } else if (effect instanceof Effect.Register register) {
            closure.registered(register.registration());
        } else if (effect instanceof Effect.Tell tell) {
            closure.told(tell.event(), context);
            admission.told(tell.event());
        } else if (effect instanceof Effect.ToPilot notice) {
            stopped.add(notices.notice(context, notice.pilotId(), notice.notice()));
        } else if (effect instanceof Effect.AskPage page) {
            admission.asked(page.request());
        }
    }

    private void refusals(List<Effect> effects) {
        int refused = 0;
        String reason = "";
        for (Effect effect : effects) {
            if (effect instanceof Effect.Reject reject) {
                refused++;
                reason = reject.reason();
            }
        }
        int most = context.expired + state.reportsWithoutTask + (context.refusal == Context.Refusal.NEVER ? 0 : 1);
        Violation.check(
                refused <= most, "nothing is rejected that must be taken", context.event, "was rejected:", reason);
        Violation.check(
                refused > 0 || context.refusal != Context.Refusal.MUST,
                "wrong things are rejected",
                context.event,
                "was not");
        if (refused > 0 && context.event instanceof Event.CommandArrived arrived) {
            state.commandIds.remove(arrived.command().id());
        }
        if (refused > 0 && context.expired > 0) {
            long waitMillis = state.scenario.options().commands().waitForTask().toMillis();
            state.waiting.removeIf(waiting -> context.now - waiting.since() >= waitMillis);
        }
        if (context.accepting != null) {
            intake.accept(context, context.accepting);
        }
    }

    /** Compares with the core's own figures; costs more than the checks of every event. */
    public void audit(SchedulerMetrics metrics) {
        boolean broken = state.tasks.values().stream().anyMatch(task -> task.broken);
        for (PoolTruth pool : state.pools.values()) {
            SchedulerMetrics.Pool told = metrics.pools().get(pool.name);
            int started = 0;
            for (TaskTruth task : state.tasks.values()) {
                started += task.pool.equals(pool.name) && task.terminal == null ? task.count(Statuses.OWNED) : 0;
            }
            Violation.check(
                    told != null && (broken || told.started() == started),
                    "the counts add up",
                    "pool",
                    pool.name,
                    "started",
                    started,
                    "but",
                    told);
        }
        long open = state.tasks.values().stream()
                .filter(task -> task.terminal == null)
                .count();
        Violation.check(
                broken || metrics.openTasks() == open,
                "the counts add up",
                "open tasks",
                open,
                "but",
                metrics.openTasks());
        if (!broken) {
            Counts.heldBack(state, metrics.why());
        }
        nodes.audit(metrics, context.now);
        state.tasks.values().forEach(Counts::recount);
    }

    /** The run is over. */
    public void finish() {
        state.tasks.values().forEach(Counts::recount);
        for (PoolTruth pool : state.pools.values()) {
            Violation.check(
                    pool.out == 0,
                    "with live pilots and finite failures everything closes",
                    pool.out,
                    "jobs still out");
        }
        for (GroupTruth group : state.groups.values()) {
            Violation.check(
                    group.inFlight == 0, "the counts add up", group.key, "has", group.inFlight, "in flight at the end");
        }
    }

    /** Jobs that have come to an end. */
    public long ended() {
        return state.tasks.values().stream()
                .mapToLong(task -> task.count(Statuses.TERMINAL))
                .sum();
    }

    /** Whether a job has been out, as far as anybody remembers: its rows in the mirror are ours to end. */
    public boolean remembers(String jobUid) {
        JobTruth job = state.jobs.get(jobUid);
        return job != null && job.attempt > 0;
    }

    /** For people: what is known of these tasks. */
    public String describe(Set<String> uids) {
        StringBuilder text = new StringBuilder();
        for (String uid : uids) {
            TaskTruth task = state.tasks.get(uid);
            text.append(uid)
                    .append(": ")
                    .append(task == null ? "not accepted" : Counts.of(task))
                    .append("; ");
        }
        return text.toString();
    }
}
