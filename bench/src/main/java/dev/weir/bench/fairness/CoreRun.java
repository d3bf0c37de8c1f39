package dev.weir.bench.fairness;

import dev.weir.bench.fairness.Load.Change;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Result;
import dev.weir.protocol.Row;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.Effects;
import dev.weir.scheduler.Event;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.store.HeapStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The production core starts the jobs of a {@link Load} by one policy: the oldest job ends, and the next starts. Ranks are
 * fixed, so only the policy decides. Used once.
 */
final class CoreRun implements Effects {

    private static final String BY = "bench";
    private static final String POOL = "cpu";
    private static final int WINDOW = 16;
    private static final long NOW = 1_700_000_000_000L;

    private final Load load;
    private final Scheduler scheduler;
    private final ArrayDeque<Job> out = new ArrayDeque<>();
    private final ArrayDeque<PageRequest> pages = new ArrayDeque<>();
    private final List<FileInfo> files = new ArrayList<>();
    private final int[] order;
    private int released;
    private int commands;

    private CoreRun(Load load, String policy) {
        this.load = load;
        order = new int[load.jobs()];
        scheduler = new Scheduler(
                SchedulerOptions.defaults()
                        .withPool(
                                POOL, PoolOptions.defaults().withPolicy(policy).withWindow(WINDOW))
                        .withRank(RankOptions.defaults().withRanker(RankOptions.FIXED))
                        .withMirror(new MirrorOptions(
                                false, MirrorOptions.defaults().taskInterval())),
                new HeapStore());
    }

    /** The task of each job, in the order of their starts. */
    static int[] order(Load load, String policy) {
        CoreRun run = new CoreRun(load, policy);
        run.start();
        run.finish();
        return run.order;
    }

    private void start() {
        // Paused until all tasks have arrived, so that none starts before the others.
        steer(Command.ofPool(nextId(), now(), BY, Command.Type.POOL_PAUSE, POOL));
        for (int i = 0; i < load.tasks(); i++) {
            apply(new Event.TaskArrived(task(i)));
        }
        serve();
        steer(Command.ofPool(nextId(), now(), BY, Command.Type.POOL_RESUME, POOL));
        serve();
    }

    private void finish() {
        int changed = 0;
        while (released < order.length) {
            while (changed < load.changes().size()
                    && load.changes().get(changed).afterJobs() <= released) {
                Change change = load.changes().get(changed++);
                steer(Command.rank(nextId(), now(), BY, "t" + change.task(), change.weight()));
            }
            Job job = out.remove();
            apply(new Event.ReportArrived(new Result(
                    "pilot",
                    POOL,
                    null,
                    job.uid(),
                    job.attempt(),
                    job.route(),
                    Result.Outcome.FINISHED,
                    0,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null)));
            serve();
        }
    }

    private String nextId() {
        return "c" + commands++;
    }

    private Instant now() {
        return Instant.ofEpochMilli(NOW + commands);
    }

    private Task task(int i) {
        return new Task(
                "t" + i,
                "reco",
                null,
                (double) load.weights()[i],
                DeviceType.CPU,
                Mode.MAP,
                0,
                "in" + i,
                "out" + i,
                "file:///out",
                "out" + i,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private void serve() {
        while (!pages.isEmpty() || scheduler.nextDeadlineMillis() <= NOW) {
            PageRequest request = pages.poll();
            apply(request == null ? new Event.Tick() : answer(request));
        }
    }

    private Event answer(PageRequest request) {
        long total = load.files()[Integer.parseInt(request.taskUid().substring(1))];
        int count = (int) Math.max(0, Math.min(request.limit(), total - request.offset()));
        while (files.size() < count) {
            files.add(new FileInfo("f" + files.size(), "file:///in", "d", 1L, null, null, null, null));
        }
        return new Event.PageArrived(
                request.taskUid(),
                request.datasetUid(),
                request.offset(),
                request.limit(),
                new DatasetPage(total, files.subList(0, count)));
    }

    private void steer(Command command) {
        apply(new Event.CommandArrived(command));
    }

    private void apply(Event event) {
        scheduler.apply(event, NOW, this);
    }

    @Override
    public void job(String pool, Job job) {
        out.add(job);
        if (released < order.length) {
            order[released++] = Integer.parseInt(job.taskUid().substring(1));
        }
    }

    @Override
    public void page(PageRequest request) {
        pages.add(request);
    }

    @Override
    public void rejected(String reason, String field) {
        throw new IllegalStateException(reason);
    }

    @Override
    public void notice(String pilotId, Notice notice) {
        throw new IllegalStateException("a notice is not expected here: " + notice);
    }

    @Override
    public void register(Registration registration) {
        // The outputs of these jobs have no reader.
    }

    @Override
    public void event(TaskEvent event) {
        if (event.state() == TaskState.FAILED) {
            throw new IllegalStateException(event.toString());
        }
    }

    @Override
    public void row(Row row) {
        throw new IllegalStateException("the mirror is off");
    }

    @Override
    public void beat(Beat beat) {
        // The time is constant, so no lease runs out.
    }
}
