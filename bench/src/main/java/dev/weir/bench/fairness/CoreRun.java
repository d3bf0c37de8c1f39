package dev.weir.bench.fairness;

import dev.weir.bench.fairness.Load.Change;
import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Job;
import dev.weir.protocol.Mode;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Result;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The production core starts the jobs of a {@link Load} by one policy: the oldest job ends, and the next starts. Ranks are
 * fixed, so only the policy decides. Used once.
 */
final class CoreRun {

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
        for (Effect effect : scheduler.apply(event, NOW)) {
            if (effect instanceof Effect.SendJob send) {
                out.add(send.job());
                if (released < order.length) {
                    order[released++] = Integer.parseInt(send.job().taskUid().substring(1));
                }
            } else if (effect instanceof Effect.AskPage ask) {
                pages.add(ask.request());
            } else if (effect instanceof Effect.Reject
                    || effect instanceof Effect.Announce announce
                            && announce.event().state() == TaskState.FAILED) {
                throw new IllegalStateException("not expected: " + effect);
            }
        }
    }
}
