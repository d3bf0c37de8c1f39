package dev.weir.scheduler;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Names;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A scheduler on a bench: sends it events, and lets the test play pilots and DSM. */
public final class Lab extends Outbox {

    /** More tasks and jobs, and later events, cost too much to look at every time. */
    private static final int AUDITED_SIZE = 100;

    private static final int AUDITED_EVENTS = 300;
    private static final int AUDITED_EVERY = 16;

    public SchedulerOptions options;
    public HeapStore store = new HeapStore();
    public Scheduler scheduler;
    public long now = 1_000_000;

    public Runnable beforeEvent = () -> {};
    /** Off for sites that are too large to be looked at. */
    public boolean audited = true;

    private final Map<String, List<FileInfo>> datasets = new HashMap<>();
    private int ids;
    private int applied;
    private boolean restored;
    private boolean served;

    public Lab(SchedulerOptions options) {
        this.options = options;
        scheduler = new Scheduler(options, store);
        if (!options.limits().groups().isEmpty() || !options.limits().rules().isEmpty()) {
            served();
        }
    }

    /** A pilot of each pool is there and takes nothing: while groups are limited a pool without pilots gives nothing. */
    public Lab served() {
        served = true;
        options.pools().keySet().forEach(pool -> idle("resident-" + pool, pool));
        return this;
    }

    public static Lab withDefaults() {
        return new Lab(SchedulerOptions.defaults());
    }

    public Lab apply(Event event) {
        beforeEvent.run();
        keep(scheduler.apply(event, now));
        if (++applied < AUDITED_EVENTS || applied % AUDITED_EVERY == 0) {
            audit();
        }
        return this;
    }

    private void audit() {
        if (!audited || LaneAudit.size(scheduler) > AUDITED_SIZE) {
            return;
        }
        scheduler.verify();
        if (!restored && options.mirror().enabled()) {
            LaneAudit.shown(scheduler, taskRows, jobRows);
        }
    }

    /** Lets time pass, with every tick and beat on the way. */
    public Lab pass(long millis) {
        long end = now + millis;
        while (true) {
            beatsComeBack();
            long next = scheduler.nextDeadlineMillis();
            if (next > end) {
                now = end;
                return this;
            }
            now = Math.max(now, next);
            apply(new Event.Tick());
        }
    }

    private void beatsComeBack() {
        while (!beats.isEmpty()) {
            apply(new Event.ReportArrived(beats.poll()));
            if (served) {
                served();
            }
        }
    }

    /** The first events of a scheduler that was just started, when no report waits in the broker. */
    public Lab catchUp() {
        apply(new Event.Tick());
        beatsComeBack();
        return this;
    }

    /** Serves all page requests, and ticks what is due now, until nothing more happens. */
    public Lab settle() {
        while (!pages.isEmpty() || scheduler.nextDeadlineMillis() <= now) {
            PageRequest request = pages.poll();
            apply(request == null ? new Event.Tick() : answer(request));
        }
        return this;
    }

    public Event answer(PageRequest request) {
        List<FileInfo> files = datasets.get(request.datasetUid());
        if (files == null) {
            return new Event.PageFailed(
                    request.taskUid(),
                    request.datasetUid(),
                    request.offset(),
                    request.limit(),
                    true,
                    "no such dataset");
        }
        int from = (int) Math.min(files.size(), request.offset());
        int to = Math.min(files.size(), from + request.limit());
        DatasetPage page = new DatasetPage((long) files.size(), files.subList(from, to));
        return new Event.PageArrived(request.taskUid(), request.datasetUid(), request.offset(), request.limit(), page);
    }

    public Lab dataset(String uid, int files) {
        List<FileInfo> infos = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            infos.add(file("f" + i + ".dat"));
        }
        return dataset(uid, infos);
    }

    public Lab dataset(String uid, List<FileInfo> files) {
        datasets.put(uid, files);
        return this;
    }

    public static FileInfo file(String name) {
        return new FileInfo(name, "file:///in", "d", 10L, "sha256:00ff", null, null, null);
    }

    public static FileInfo grouped(String name, String... groups) {
        return new FileInfo(name, "file:///in", "d", 10L, null, null, null, List.of(groups));
    }

    /** Sends a task and serves its pages. */
    public Lab task(Task task) {
        apply(new Event.TaskArrived(task));
        return settle();
    }

    private String nextId() {
        return "c" + ids++;
    }

    private static Instant at(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    public Lab command(Command.Type type, String taskUid) {
        return apply(new Event.CommandArrived(Command.ofTask(nextId(), at(now), "test", type, taskUid)));
    }

    public Lab rank(String taskUid, double rank) {
        return apply(new Event.CommandArrived(Command.rank(nextId(), at(now), "test", taskUid, rank)));
    }

    public Lab limit(String group, Integer inFlight, Integer starts, Integer windowS) {
        return apply(
                new Event.CommandArrived(Command.limit(nextId(), at(now), "test", group, inFlight, starts, windowS)));
    }

    public Lab lift(String group) {
        return apply(new Event.CommandArrived(Command.lift(nextId(), at(now), "test", group)));
    }

    public Lab priority(String taskUid, long position, int priority) {
        return apply(
                new Event.CommandArrived(Command.priority(nextId(), at(now), "test", taskUid, position, priority)));
    }

    public Lab pool(Command.Type type, String pool) {
        return apply(new Event.CommandArrived(Command.ofPool(nextId(), at(now), "test", type, pool)));
    }

    public Lab pilot(Command.Type type, String pilot) {
        return pilot(type, pilot, now);
    }

    /** The same, given at another time than now. */
    public Lab pilot(Command.Type type, String pilot, long givenAt) {
        return apply(new Event.CommandArrived(Command.ofPilot(nextId(), at(givenAt), "test", type, pilot)));
    }

    public Lab idle(String pilot) {
        return idle(pilot, "cpu");
    }

    /** A pilot that has no job takes from these pools, in this order. */
    public Lab idle(String pilot, String... pools) {
        return apply(new Event.ReportArrived(new Heartbeat(
                pilot,
                pools[0],
                pools.length == 1 ? null : List.of(pools),
                null,
                null,
                null,
                PilotState.IDLE,
                null,
                null,
                null)));
    }

    public Lab alive(String pilot, Job job) {
        return apply(new Event.ReportArrived(new Heartbeat(
                pilot, pool(job), null, null, null, null, PilotState.BUSY, job.uid(), job.attempt(), job.route())));
    }

    public Job take() {
        return take("cpu");
    }

    /** The next job of a pool's queue; null when it is empty. */
    public Job take(String pool) {
        Deque<Job> queue = queues.get(pool);
        return queue == null ? null : queue.poll();
    }

    public Lab starting(String pilot, Job job) {
        return status(pilot, job, Status.Phase.STARTING);
    }

    public Lab running(String pilot, Job job) {
        return status(pilot, job, Status.Phase.RUNNING);
    }

    private Lab status(String pilot, Job job, Status.Phase phase) {
        return apply(new Event.ReportArrived(
                new Status(pilot, pool(job), null, job.uid(), job.attempt(), job.route(), phase)));
    }

    /** The pool that the job came from. */
    private String pool(Job job) {
        return poolOf.getOrDefault(job.uid(), Names.pool(job.deviceType()));
    }

    /** Lets time pass until the job's next attempt is the next in the queue, and takes it. */
    public Job takeAgain(Job job) {
        Job next = null;
        for (int i = 0; i < 60 && next == null; i++) {
            next = pass(10_000).take(pool(job));
        }
        if (next == null || !next.uid().equals(job.uid())) {
            throw new AssertionError("not " + job + " was sent again but " + next);
        }
        return next;
    }

    public static Result result(String pilot, Job job, Result.Outcome outcome, ErrorType error) {
        return result(pilot, Names.pool(job.deviceType()), job, outcome, error);
    }

    private static Result result(String pilot, String pool, Job job, Result.Outcome outcome, ErrorType error) {
        boolean finished = outcome == Result.Outcome.FINISHED;
        return new Result(
                pilot,
                pool,
                null,
                job.uid(),
                job.attempt(),
                job.route(),
                outcome,
                finished ? 0 : 1,
                error,
                finished ? null : "went wrong",
                finished ? job.fileOutUrl() : null,
                finished ? 5L : null,
                null,
                job.fileLogUrl(),
                7L,
                null,
                null,
                null);
    }

    /** An attempt is finished, and these are the files that it made; null for none. */
    public Lab made(String pilot, Job job, String output, String log) {
        return ended(pilot, job, Result.Outcome.FINISHED, output, log);
    }

    /** An attempt has failed, and left an output and a log. */
    public Lab failedWithOutput(String pilot, Job job) {
        return ended(pilot, job, Result.Outcome.FAILED, job.fileOutUrl(), job.fileLogUrl());
    }

    /** An attempt has ended so, and these are the files that it left; null for none. */
    public Lab ended(String pilot, Job job, Result.Outcome outcome, String output, String log) {
        boolean finished = outcome == Result.Outcome.FINISHED;
        return apply(new Event.ReportArrived(new Result(
                pilot,
                pool(job),
                null,
                job.uid(),
                job.attempt(),
                job.route(),
                outcome,
                finished ? 0 : 1,
                finished ? null : ErrorType.EXIT,
                null,
                output,
                output == null ? null : 1L,
                null,
                log,
                log == null ? null : 1L,
                null,
                null,
                null)));
    }

    public Lab finished(String pilot, Job job) {
        return apply(new Event.ReportArrived(result(pilot, pool(job), job, Result.Outcome.FINISHED, null)));
    }

    public Lab failed(String pilot, Job job) {
        return apply(new Event.ReportArrived(result(pilot, pool(job), job, Result.Outcome.FAILED, ErrorType.EXIT)));
    }

    public Lab failed(String pilot, Job job, ErrorType error) {
        return apply(new Event.ReportArrived(result(pilot, pool(job), job, Result.Outcome.FAILED, error)));
    }

    /** Runs a job from start to finish. */
    public Lab run(String pilot, Job job) {
        return starting(pilot, job).running(pilot, job).finished(pilot, job).settle();
    }

    /** Runs all jobs that come, until none does. */
    public Lab runAll(String pilot) {
        for (Job job = take(); job != null; job = take()) {
            run(pilot, job);
        }
        return this;
    }

    /** Stops the scheduler and starts another from a snapshot of the store. No report waits in the broker. */
    public Lab restore(HeapStore snapshot) {
        return restoreBehindReports(snapshot).catchUp();
    }

    /** The same, but the first beat is behind reports that wait. */
    public Lab restoreBehindReports(HeapStore snapshot) {
        beats.clear();
        // What was shown since the snapshot is not ours to know any more.
        restored = true;
        store = snapshot.snapshot();
        scheduler = new Scheduler(options, store);
        return this;
    }

    public static TaskBuilder task(String uid, String input) {
        return new TaskBuilder(uid, input);
    }
}
