package dev.weir.scheduler;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.PilotState;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Result;
import dev.weir.protocol.Row;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.store.HeapStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A scheduler on a bench: sends it events, keeps its effects, and lets the test play pilots and DSM. */
public final class Lab implements Effects {

    /** An effect to a pilot. */
    public record Told(String pilotId, Notice notice) {}

    public SchedulerOptions options;
    public HeapStore store = new HeapStore();
    public Scheduler scheduler;
    public long now = 1_000_000;

    /** Jobs in each pool's queue. */
    public final Map<String, Deque<Job>> queues = new HashMap<>();

    public final List<Job> jobs = new ArrayList<>();
    public final List<Told> notices = new ArrayList<>();
    public final List<Registration> registrations = new ArrayList<>();
    public final List<TaskEvent> events = new ArrayList<>();
    public final Deque<PageRequest> pages = new ArrayDeque<>();
    public final List<String> rejected = new ArrayList<>();
    public final Deque<Beat> beats = new ArrayDeque<>();
    public final Map<String, TaskRow> taskRows = new LinkedHashMap<>();
    public final Map<String, JobRow> jobRows = new LinkedHashMap<>();

    private final Map<String, List<FileInfo>> datasets = new HashMap<>();
    private int ids;

    public Lab(SchedulerOptions options) {
        this.options = options;
        scheduler = new Scheduler(options, store);
    }

    public static Lab withDefaults() {
        return new Lab(SchedulerOptions.defaults());
    }

    // ---- events

    public Lab apply(Event event) {
        scheduler.apply(event, now, this);
        return this;
    }

    /** Lets time pass, with every tick and beat on the way. */
    public Lab pass(long millis) {
        long end = now + millis;
        while (true) {
            while (!beats.isEmpty()) {
                apply(new Event.ReportArrived(beats.poll()));
            }
            long next = scheduler.nextDeadlineMillis();
            if (next > end) {
                now = end;
                return this;
            }
            now = Math.max(now, next);
            apply(new Event.Tick());
        }
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

    public Lab command(Command.Type type, String taskUid) {
        return apply(new Event.CommandArrived(new Command(
                "c" + ids++,
                Instant.ofEpochMilli(now),
                "test",
                type,
                taskUid,
                null,
                null,
                null,
                null,
                null,
                null,
                null)));
    }

    public Lab rank(String taskUid, double rank) {
        return apply(new Event.CommandArrived(new Command(
                "c" + ids++,
                Instant.ofEpochMilli(now),
                "test",
                Command.Type.RANK,
                taskUid,
                rank,
                null,
                null,
                null,
                null,
                null,
                null)));
    }

    public Lab limit(String group, Integer inFlight, Integer starts, Integer windowS) {
        return apply(new Event.CommandArrived(new Command(
                "c" + ids++,
                Instant.ofEpochMilli(now),
                "test",
                Command.Type.LIMIT,
                null,
                null,
                group,
                inFlight,
                starts,
                windowS,
                null,
                null)));
    }

    public Lab pool(Command.Type type, String pool) {
        return apply(new Event.CommandArrived(new Command(
                "c" + ids++, Instant.ofEpochMilli(now), "test", type, null, null, null, null, null, null, pool, null)));
    }

    public Lab pilot(Command.Type type, String pilot) {
        return apply(new Event.CommandArrived(new Command(
                "c" + ids++,
                Instant.ofEpochMilli(now),
                "test",
                type,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                pilot)));
    }

    public Lab idle(String pilot) {
        return apply(new Event.ReportArrived(
                new Heartbeat(pilot, "cpu", null, null, null, PilotState.IDLE, null, null, null)));
    }

    public Lab alive(String pilot, Job job) {
        return apply(new Event.ReportArrived(
                new Heartbeat(pilot, "cpu", null, null, null, PilotState.BUSY, job.uid(), job.attempt(), job.route())));
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
        return apply(
                new Event.ReportArrived(new Status(pilot, "cpu", null, job.uid(), job.attempt(), job.route(), phase)));
    }

    public static Result result(String pilot, Job job, Result.Outcome outcome, ErrorType error) {
        boolean finished = outcome == Result.Outcome.FINISHED;
        return new Result(
                pilot,
                "cpu",
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

    public Lab finished(String pilot, Job job) {
        return apply(new Event.ReportArrived(result(pilot, job, Result.Outcome.FINISHED, null)));
    }

    public Lab failed(String pilot, Job job) {
        return apply(new Event.ReportArrived(result(pilot, job, Result.Outcome.FAILED, ErrorType.EXIT)));
    }

    public Lab failed(String pilot, Job job, ErrorType error) {
        return apply(new Event.ReportArrived(result(pilot, job, Result.Outcome.FAILED, error)));
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

    /** Stops the scheduler and starts another from a snapshot of the store. */
    public Lab restore(HeapStore snapshot) {
        store = snapshot.snapshot();
        scheduler = new Scheduler(options, store);
        return apply(new Event.Tick());
    }

    // ---- what came out

    public Registration.Close close(String dataset) {
        List<Registration.Close> closes = closes(dataset);
        if (closes.size() != 1) {
            throw new AssertionError(closes.size() + " closes of " + dataset + ": " + closes);
        }
        return closes.get(0);
    }

    public List<Registration.Close> closes(String dataset) {
        List<Registration.Close> closes = new ArrayList<>();
        for (Registration registration : registrations) {
            if (registration instanceof Registration.Close close
                    && close.datasetUid().equals(dataset)) {
                closes.add(close);
            }
        }
        return closes;
    }

    public List<String> states(String taskUid) {
        return events.stream()
                .filter(event -> event.taskUid().equals(taskUid))
                .map(event -> event.state().wireName())
                .toList();
    }

    // ---- tasks

    public static TaskBuilder task(String uid, String input) {
        return new TaskBuilder(uid, input);
    }

    /** A task with what the test is about. */
    public static final class TaskBuilder {
        private final String uid;
        private final String input;
        private double rank = 1;
        private int retry;
        private Mode mode = Mode.MAP;
        private Order order;
        private List<String> groups;
        private List<FileInfo> targets;
        private String output;
        private Boolean autoCancel;
        private Integer filesPerJob;
        private Integer chunkFiles;
        private Integer demoteAfterS;
        private DeviceType device = DeviceType.CPU;

        TaskBuilder(String uid, String input) {
            this.uid = uid;
            this.input = input;
            output = uid + "-out";
        }

        public TaskBuilder rank(double value) {
            rank = value;
            return this;
        }

        public TaskBuilder retry(int value) {
            retry = value;
            return this;
        }

        public TaskBuilder merge(Integer files) {
            mode = Mode.MERGE;
            filesPerJob = files;
            return this;
        }

        public TaskBuilder order(Order value) {
            order = value;
            return this;
        }

        public TaskBuilder groups(String... value) {
            groups = List.of(value);
            return this;
        }

        public TaskBuilder targets(List<FileInfo> value) {
            targets = value;
            return this;
        }

        public TaskBuilder output(String value) {
            output = value;
            return this;
        }

        public TaskBuilder autoCancel(boolean value) {
            autoCancel = value;
            return this;
        }

        public TaskBuilder chunkFiles(int value) {
            chunkFiles = value;
            return this;
        }

        public TaskBuilder demoteAfterS(int value) {
            demoteAfterS = value;
            return this;
        }

        public TaskBuilder gpu() {
            device = DeviceType.GPU;
            return this;
        }

        public Task build() {
            return new Task(
                    uid,
                    "program",
                    "{file_in}",
                    rank,
                    device,
                    mode,
                    retry,
                    input,
                    output,
                    "file:///store",
                    uid,
                    null,
                    null,
                    order,
                    groups,
                    targets,
                    null,
                    chunkFiles,
                    demoteAfterS,
                    autoCancel,
                    filesPerJob,
                    null);
        }
    }

    // ---- effects

    @Override
    public void job(String pool, Job job) {
        jobs.add(job);
        queues.computeIfAbsent(pool, name -> new ArrayDeque<>()).add(job);
    }

    @Override
    public void notice(String pilotId, Notice notice) {
        notices.add(new Told(pilotId, notice));
    }

    @Override
    public void register(Registration registration) {
        registrations.add(registration);
    }

    @Override
    public void event(TaskEvent event) {
        events.add(event);
    }

    @Override
    public void page(PageRequest request) {
        pages.add(request);
    }

    @Override
    public void rejected(String reason, String field) {
        rejected.add(field + ": " + reason);
    }

    @Override
    public void row(Row row) {
        if (row instanceof TaskRow task) {
            taskRows.put(task.uid(), task);
        } else if (row instanceof JobRow job) {
            jobRows.put(job.uid(), job);
        }
    }

    @Override
    public void beat(Beat beat) {
        beats.add(beat);
    }
}
