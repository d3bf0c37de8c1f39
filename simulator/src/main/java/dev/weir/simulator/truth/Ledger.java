package dev.weir.simulator.truth;

import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Report;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.Event;
import dev.weir.scheduler.SchedulerMetrics;
import dev.weir.scheduler.options.ErrorClass;
import dev.weir.simulator.scenario.DatasetPlan;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.world.Effect;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final Releases releases;
    private final Closure closure;
    private Context context;

    public Ledger(Scenario scenario, Archive archive) {
        this(new State(scenario), archive);
    }

    private Ledger(State state, Archive archive) {
        this.state = state;
        this.archive = archive;
        state.pools.keySet().forEach(pool -> fairness.put(pool, new Fairness()));
        this.reports = new Reports(state);
        this.commands = new Commands(state);
        this.releases = new Releases(state, archive, fairness);
        this.closure = new Closure(state, archive);
    }

    /** An independent ledger that knows the same; fairness is watched anew, as a restored core starts its rounds anew. */
    public Ledger copy() {
        return new Ledger(state.copy(), archive);
    }

    /** The core has been restored to where this ledger is. */
    public void restored() {
        fairness.values().forEach(Fairness::interruptAll);
    }

    /** Decides what the event may and must lead to. */
    public void begin(Event event, long now) {
        context = new Context(event, now);
        long waitMillis = state.scenario.options().commands().waitForTask().toMillis();
        context.expired = (int) state.waiting.stream()
                .filter(waiting -> now - waiting.since() >= waitMillis)
                .count();
        if (event instanceof Event.TaskArrived arrived) {
            task(arrived.task());
        } else if (event instanceof Event.CommandArrived arrived) {
            commands.begin(arrived.command(), context);
        } else if (event instanceof Event.ReportArrived arrived) {
            reports.begin(arrived.report(), context);
        } else if (event instanceof Event.PageArrived page) {
            page(page);
        } else if (event instanceof Event.PageFailed failed) {
            pageFailed(failed);
        }
    }

    private void task(Task task) {
        TaskTruth known = state.tasks.get(task.uid());
        if (known != null) {
            boolean same = known.task.equals(task);
            context.refusal =
                    same ? Context.Refusal.NEVER : known.terminal == null ? Context.Refusal.MUST : Context.Refusal.MAY;
        } else if (state.openOutputs.containsKey(task.datOutUid())) {
            context.refusal = Context.Refusal.MUST;
        } else {
            context.accepting = task;
        }
    }

    private void accept(Task task) {
        DatasetPlan dataset = state.scenario.datasets().get(task.datInUid());
        TaskTruth truth = new TaskTruth(task, dataset);
        state.tasks.put(task.uid(), truth);
        state.openOutputs.put(task.datOutUid(), task.uid());
        commands.applyWaiting(truth, context);
    }

    private void page(Event.PageArrived page) {
        TaskTruth task = state.tasks.get(page.taskUid());
        boolean asked = state.asked.remove(page.taskUid() + "/" + page.offset());
        if (!asked || task == null || task.terminal != null) {
            return;
        }
        long total = page.page().total();
        int size = page.page().data().size();
        boolean wrong = task.toldTotal >= 0 && total != task.toldTotal || size == 0 && page.offset() < total;
        task.toldTotal = total;
        if (wrong && !task.cancelled && !task.closing) {
            task.broken = true;
        } else if (page.offset() <= task.readFiles) {
            task.readFiles = (int) Math.max(task.readFiles, page.offset() + size);
            task.fresh = 0;
            for (JobTruth job : task.jobs) {
                task.fresh += !job.touched && task.isRead(job) ? 1 : 0;
            }
        }
    }

    private void pageFailed(Event.PageFailed failed) {
        TaskTruth task = state.tasks.get(failed.taskUid());
        boolean asked = state.asked.contains(failed.taskUid() + "/" + failed.offset());
        if (failed.permanent() && asked && task != null && task.terminal == null && !task.cancelled && !task.closing) {
            task.broken = true;
        }
    }

    /** Judges what the core did with the event. */
    public void end(List<Effect> effects) {
        refusals(effects);
        // In the order in which the core came to them: what fails and finishes in one event is counted in that order.
        Map<String, JobRow> rows = new LinkedHashMap<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Mirror mirror && mirror.row() instanceof JobRow row) {
                rows.remove(row.uid());
                rows.put(row.uid(), row);
            }
        }
        for (JobRow row : rows.values()) {
            identify(row);
        }
        rows.values().forEach(this::claimed);
        reported(rows);
        Set<String> stopped = new HashSet<>();
        TaskRow last = null;
        for (Effect effect : effects) {
            judge(effect, stopped, rows);
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
            counts(last);
        }
        heardToStop(stopped);
        tasks();
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
            lost(row);
            if (last.get(row.uid()) == row) {
                agrees(row);
            }
        } else if (effect instanceof Effect.Mirror mirror && mirror.row() instanceof TaskRow row) {
            TaskTruth task = state.tasks.get(row.uid());
            if (!settlesAtEnd(task)) {
                counts(row);
            }
        } else if (effect instanceof Effect.Register register) {
            closure.registered(register.registration());
        } else if (effect instanceof Effect.Tell tell) {
            closure.told(tell.event(), context);
        } else if (effect instanceof Effect.ToPilot notice) {
            stopped.add(notice(notice.pilotId(), notice.notice()));
        } else if (effect instanceof Effect.AskPage page) {
            state.asked.add(page.request().taskUid() + "/" + page.request().offset());
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
            accept(context.accepting);
        }
    }

    private void identify(JobRow row) {
        TaskTruth task = state.tasks.get(row.taskUid());
        Violation.check(
                task != null && row.position() >= 0 && row.position() < task.jobs.length, "rows belong to jobs", row);
        archive.identified(row.taskUid(), (int) row.position(), row.uid());
        JobTruth job = task.jobs[(int) row.position()];
        job.uid = row.uid();
        state.jobs.put(row.uid(), job);
    }

    /** What was reported before the file had been read has been taken up: some report of then must say so. */
    private void claimed(JobRow row) {
        JobTruth job = state.jobs.get(row.uid());
        List<Report> claims = job == context.job ? null : state.claims.get(row.uid());
        boolean pending = job.is(Statuses.WAITING) || job.is(Statuses.CANCELLED) && context.stopping == job.task;
        if (claims == null || job.attempt > 0 || !pending || row.status() == JobStatus.QUEUED && row.attempt() == 1) {
            return;
        }
        boolean ended = !Statuses.in(row.status(), Statuses.OWNED);
        for (Report claim : claims) {
            boolean result = claim instanceof Result;
            boolean finished = result && ((Result) claim).status() == Result.Outcome.FINISHED;
            String pilot = pilot(claim);
            int attempt = row.status() == JobStatus.QUEUED ? row.attempt() - 1 : row.attempt();
            if (attempt(claim) != attempt) {
                continue;
            }
            if (finished == (row.status() == JobStatus.FINISHED) && result == ended && madeBy(claim, row)) {
                job.adopted = true;
                job.retried |= isRetriedAtOnce(row);
                job.attempt = attempt;
                job.renewedAt = state.beatClock;
                if (result) {
                    job.end((Result) claim);
                    if (!finished) {
                        misbehaved(pilot);
                    }
                }
                state.move(job, row.status() == JobStatus.QUEUED ? JobStatus.COOLING : row.status(), context.now);
                if (!ended) {
                    job.own(pilot);
                }
                autoCancel(job.task);
                return;
            }
        }
        throw new Violation("what pilots report is taken up as they report it", row + " after " + claims);
    }

    /** It had failed for good, and a command that waited for its task has it tried again: its row shows no files any more. */
    private static boolean isRetriedAtOnce(JobRow row) {
        return row.status() == JobStatus.QUEUED || row.status() == JobStatus.COOLING && row.pilotId() == null;
    }

    private static boolean madeBy(Report claim, JobRow row) {
        boolean samePilot = row.pilotId() == null || pilot(claim).equals(row.pilotId());
        boolean sameFiles = !(claim instanceof Result result)
                || isRetriedAtOnce(row)
                || Objects.equals(result.fileOutUrl(), row.fileOutUrl())
                        && Objects.equals(result.fileLogUrl(), row.fileLogUrl());
        return samePilot && sameFiles;
    }

    private static String pilot(Report report) {
        return report instanceof Status status
                ? status.pilotId()
                : report instanceof Result result ? result.pilotId() : ((Heartbeat) report).pilotId();
    }

    private static int attempt(Report report) {
        return report instanceof Status status
                ? status.attempt()
                : report instanceof Result result ? result.attempt() : ((Heartbeat) report).attempt();
    }

    /** What the report did to its job, before any release. */
    private void reported(Map<String, JobRow> rows) {
        JobTruth job = context.job;
        if (job == null || context.allowed == 0) {
            return;
        }
        JobRow row = job.uid == null ? null : rows.get(job.uid);
        JobStatus then = row == null ? job.status : row.status();
        if (row != null
                && then == JobStatus.QUEUED
                && row.attempt() > Math.max(job.attempt, context.fails ? context.attempt : 0)) {
            then = JobStatus.COOLING;
        }
        boolean allowed = Statuses.in(then, context.allowed)
                || then == JobStatus.CANCELLED && context.fails && job.task.task.autoCancel();
        Violation.check(
                allowed,
                rule(),
                job,
                "is",
                then,
                "after attempt",
                context.attempt,
                "of",
                context.pilot,
                "and may be",
                Statuses.names(context.allowed),
                "after",
                context.event);
        if (context.unsure && then != job.status) {
            job.adopted = true;
        }
        if (context.result != null && then == job.status && !job.is(Statuses.TERMINAL)) {
            job.endLate(context.result);
        }
        if (Statuses.in(then, Statuses.OWNED)) {
            own(job, then, row);
        } else if (then != job.status || context.fails) {
            boolean again = row != null && row.attempt() > job.attempt;
            if (context.fails && (then != job.status || job.is(Statuses.COOLING) || again)) {
                failed(job, then);
            } else if (then == JobStatus.FINISHED) {
                job.attempt = Math.max(job.attempt, context.attempt);
                job.end(context.result);
                state.move(job, then, context.now);
            } else if (then != job.status) {
                state.move(job, then, context.now);
            }
        }
    }

    private String rule() {
        return context.result != null
                ? "results count once, and a late finished wins"
                : "only the owner moves a job, and what we sent is adopted";
    }

    private void own(JobTruth job, JobStatus then, JobRow row) {
        if (row == null) {
            return;
        }
        boolean changes = !job.isOwnedBy(row.pilotId(), row.attempt());
        if (changes) {
            Violation.check(
                    context.pilot.equals(row.pilotId()) && row.attempt() == context.attempt,
                    "the first to report a job owns it",
                    row,
                    "after",
                    context.event);
            job.adopted |= job.attempt != context.attempt || job.is(Statuses.PENDING);
            job.attempt = row.attempt();
            job.own(row.pilotId());
            job.renewedAt = state.beatClock;
        }
        state.move(job, then, context.now);
        if (changes) {
            job.own(row.pilotId());
        }
    }

    private void failed(JobTruth job, JobStatus then) {
        job.orderedKills += job.killOrdered && context.attempt == job.attempt && then == JobStatus.COOLING ? 1 : 0;
        job.adopted |= context.attempt > job.attempt || job.killOrdered;
        job.attempt = Math.max(job.attempt, context.attempt);
        ErrorClass error = reports.errorClass(context.result);
        job.payloadFailures += error == ErrorClass.PAYLOAD ? 1 : 0;
        job.systemFailures += error == ErrorClass.SYSTEM ? 1 : 0;
        job.end(context.result);
        misbehaved(context.pilot);
        if (job.is(Statuses.COOLING) && then == JobStatus.COOLING) {
            job.failedAt = context.now;
        }
        JobStatus end = then;
        if (then == JobStatus.CANCELLED && !job.task.cancelled && !job.task.closing && !job.task.broken) {
            end = JobStatus.FAILED;
        }
        state.move(job, end, context.now);
        autoCancel(job.task);
        if (end != then) {
            Violation.check(job.task.cancelled, "only stopped tasks have cancelled jobs", job);
            state.move(job, then, context.now);
        }
    }

    private void misbehaved(String pilot) {
        int after = state.scenario.options().pilots().setAsideAfter();
        if (after > 0 && state.failuresInRow.merge(pilot, 1, Integer::sum) >= after) {
            state.excluded.putIfAbsent(pilot, context.now);
        }
    }

    private void autoCancel(TaskTruth task) {
        int failed = task.counts[JobStatus.FAILED.ordinal()] + task.counts[JobStatus.KILLED.ordinal()];
        int finished = task.counts[JobStatus.FINISHED.ordinal()];
        if (task.task.autoCancel()
                && failed >= state.scenario.options().attempts().autoCancelFrom()
                && failed > finished
                && !task.cancelled
                && !task.closing
                && !task.broken) {
            commands.cancel(task, context);
        }
    }

    /** Jobs that ended without a report: their leases must have run out. */
    private void lost(JobRow row) {
        JobTruth job = state.jobs.get(row.uid());
        boolean ends = !Statuses.in(row.status(), Statuses.OWNED | Statuses.FINISHED);
        if (job == context.job && context.allowed != 0 || !job.is(Statuses.OWNED) || !ends) {
            return;
        }
        TaskTruth task = job.task;
        if (task.cancelled || task.broken || state.excluded.containsKey(job.owner)) {
            job.adopted = true;
            state.move(job, row.status() == JobStatus.QUEUED ? JobStatus.COOLING : row.status(), context.now);
            autoCancel(task);
            return;
        }
        long silent = state.beatClock - job.renewedAt;
        Violation.check(
                silent >= state.leaseMillis(),
                "a lease runs on the clock of beats",
                job,
                "was lost after",
                silent,
                "ms of",
                state.leaseMillis());
        job.systemFailures++;
        misbehaved(job.owner);
        boolean over = job.systemFailures > state.scenario.options().attempts().systemRetries();
        JobStatus then = row.status() == JobStatus.QUEUED ? JobStatus.COOLING : row.status();
        boolean right = job.retried
                || job.adopted
                || task.closing
                || (over
                        ? Statuses.in(then, Statuses.FAILED | Statuses.KILLED | Statuses.CANCELLED)
                        : Statuses.in(then, Statuses.PENDING));
        Violation.check(right, "budgets of retries", job, "lost for the", job.systemFailures, "time is", then);
        state.move(job, then == JobStatus.CANCELLED && !task.closing ? JobStatus.FAILED : then, context.now);
        autoCancel(task);
        if (job.status != then) {
            Violation.check(task.cancelled, "only stopped tasks have cancelled jobs", job);
            state.move(job, then, context.now);
        }
    }

    /** The row of a job shows what is true of it. */
    private void agrees(JobRow row) {
        JobTruth job = state.jobs.get(row.uid());
        if (row.deleted()) {
            return;
        }
        if (job.is(Statuses.PENDING) && Statuses.in(row.status(), Statuses.PENDING)) {
            state.move(job, row.status(), context.now);
        }
        if (job.task.broken || row.status() == JobStatus.CANCELLED && context.stopping == job.task) {
            state.move(job, row.status(), context.now);
        }
        Violation.check(
                job.status == row.status() || job.task.broken,
                "each file is pending, cooling, out or terminal, and its row says which",
                job,
                "but its row is",
                row);
        Violation.check(
                job.attempt == row.attempt() || job.is(Statuses.TERMINAL) || job.task.broken,
                "attempts count one by one",
                job,
                "but its row is",
                row);
    }

    private void counts(TaskRow row) {
        TaskTruth task = state.tasks.get(row.uid());
        if (task == null || task.broken || task.terminal != null) {
            return;
        }
        JobCounts counts = row.counts();
        boolean whole = counts.total() != null && (task.isWhollyRead() || !task.cancelled && !task.closing);
        boolean same = counts.queued() == task.count(Statuses.QUEUED)
                && counts.starting() == task.count(Statuses.STARTING)
                && counts.running() == task.count(Statuses.RUNNING)
                && counts.finished() == task.count(Statuses.FINISHED)
                && counts.failed() == task.count(Statuses.FAILED)
                && counts.killed() == task.count(Statuses.KILLED)
                && (!whole || !task.dataset.isReadable() || counts.total() == task.jobs.length)
                && (!whole
                        || !task.dataset.isReadable()
                        || counts.waiting() + counts.cooling() == task.count(Statuses.PENDING))
                && (!whole || !task.dataset.isReadable() || counts.cancelled() == task.count(Statuses.CANCELLED));
        Violation.check(same, "the counts add up", counts, "of", task.task.uid(), "but", Counts.of(task));
    }

    private String notice(String pilot, Notice notice) {
        if (!notice.type().isAboutAttempt()) {
            Violation.check(
                    notice.type() == Notice.Kind.RESUME || state.excluded.containsKey(pilot),
                    "a pilot that works for us is not stopped",
                    pilot,
                    notice);
            return pilot;
        }
        JobTruth job = state.jobs.get(notice.jobUid());
        if (job != null && job.isOwnedBy(pilot, notice.attempt())) {
            boolean may = job.task.cancelled
                    || job.task.broken
                    || notice.type() == Notice.Kind.KILL
                    || state.excluded.containsKey(pilot);
            Violation.check(may, "a pilot that works for us is not stopped", job, notice);
            job.killOrdered |= notice.type() == Notice.Kind.KILL;
        }
        return pilot + "/" + notice.jobUid() + "/" + notice.attempt();
    }

    /** A report about a job that is not live for that pilot, or that is cancelled, is answered by a notice. */
    private void heardToStop(Set<String> stopped) {
        if (!context.goesOn || context.unsure || context.pilot == null) {
            return;
        }
        JobTruth job = context.job;
        boolean live = job != null && job.isOwnedBy(context.pilot, context.attempt) && !job.task.cancelled;
        boolean undecided = job != null && job.is(Statuses.QUEUED) && job.attempt == context.attempt;
        boolean told = stopped.contains(context.pilot + "/" + context.jobUid + "/" + context.attempt);
        Violation.check(
                live || undecided || told,
                "no two attempts of a job live that we would not cancel at their next report",
                context.event,
                "but",
                job);
    }

    /** What must hold for each task after every event. */
    private void tasks() {
        boolean beat = context.event instanceof Event.ReportArrived arrived
                && arrived.report() instanceof dev.weir.protocol.Beat;
        for (TaskTruth task : state.tasks.values()) {
            if (task.terminal != null) {
                continue;
            }
            if (!task.hasFreshReady() || state.pools.get(task.pool).paused) {
                fairness.get(task.pool).interrupt(task.task.uid());
            }
            if (beat) {
                noticed(task);
            }
            boolean over = task.count(Statuses.TERMINAL) == task.jobs.length
                    && task.jobs.length > 0
                    && task.isWhollyRead()
                    && task.dataset.isReadable();
            Violation.check(
                    !over || task.broken || task.closeParts > 0,
                    "a dataset closes when its last job ends",
                    task.task.uid(),
                    Counts.of(task));
        }
        idle();
    }

    /** A pilot that has been silent for longer than its lease is noticed. */
    private void noticed(TaskTruth task) {
        if (task.count(Statuses.OWNED) == 0) {
            return;
        }
        for (JobTruth job : task.jobs) {
            if (job.is(Statuses.OWNED)) {
                long silent = state.beatClock - job.renewedAt;
                Violation.check(
                        silent <= state.leaseMillis() + 2 * state.heartbeatMillis(),
                        "lost pilots are noticed",
                        job,
                        "silent for",
                        silent,
                        "ms of",
                        state.leaseMillis());
            }
        }
    }

    /** No place in a window is free while a file that nothing limits waits for it. */
    private void idle() {
        int most = state.scenario.options().admission().maxActiveTasks();
        for (PoolTruth pool : state.pools.values()) {
            boolean heard = context.now - pool.heardAt <= state.heartbeatMillis();
            if (!pool.hasFixedWindow()
                    || pool.paused
                    || !heard
                    || !state.excluded.isEmpty()
                    || pool.placesAtMost() >= pool.options.window()) {
                continue;
            }
            int open = 0;
            TaskTruth ready = null;
            for (TaskTruth task : state.tasks.values()) {
                if (task.terminal == null && task.pool.equals(pool.name)) {
                    open++;
                    ready = task.hasFreshReady() ? task : ready;
                }
            }
            Violation.check(
                    ready == null || open > most,
                    "no place in the window stays free while a file could take it",
                    "pool",
                    pool.name,
                    "has",
                    pool.out,
                    "out of",
                    pool.options.window(),
                    "and task",
                    ready == null ? "" : ready.task.uid() + " has " + ready.fresh + " files ready");
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
