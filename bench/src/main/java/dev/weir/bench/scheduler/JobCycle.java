package dev.weir.bench.scheduler;

import dev.weir.protocol.Beat;
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
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.scheduler.Effects;
import dev.weir.scheduler.Event;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.store.HeapStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole job: its {@code starting} and its result come in, its output and log are registered, the next job goes out. A hundred
 * tasks with weights from 1 to 100 read endless datasets; the heap store encodes every value, as RocksDB does.
 */
@State(Scope.Benchmark)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class JobCycle implements Effects {

    private static final int TASKS = 100;
    private static final int WINDOW = 1000;
    private static final long FILES = 1L << 30;

    @Param({"true", "false"})
    public boolean mirror;

    private Scheduler scheduler;
    private final ArrayDeque<Job> queue = new ArrayDeque<>();
    private final ArrayDeque<PageRequest> pages = new ArrayDeque<>();
    private final List<FileInfo> files = new ArrayList<>();
    private long now = 1_700_000_000_000L;
    private long done;
    private long effects;

    @Setup
    public void start() {
        for (int i = 0; i < 5000; i++) {
            files.add(new FileInfo(
                    "run-001234-event-" + i + ".raw",
                    "https://store.example.org/spd",
                    "2026/run-001234",
                    1_000_000L + i,
                    "sha256:" + "0123456789abcdef".repeat(4),
                    null,
                    null,
                    null));
        }
        scheduler = new Scheduler(
                SchedulerOptions.defaults()
                        .withPool("cpu", PoolOptions.defaults().withWindow(WINDOW))
                        .withMirror(new MirrorOptions(
                                mirror, MirrorOptions.defaults().taskInterval())),
                new HeapStore());
        for (int i = 0; i < TASKS; i++) {
            apply(new Event.TaskArrived(task(i)));
        }
        serve();
    }

    private static Task task(int i) {
        return new Task(
                "task-" + i,
                "reco",
                "{file_in} {file_out}",
                1.0 + i,
                DeviceType.CPU,
                Mode.MAP,
                3,
                "in-" + i,
                "out-" + i,
                "https://store.example.org/out",
                "out-" + i,
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

    private void apply(Event event) {
        scheduler.apply(event, now, this);
    }

    private void serve() {
        while (!pages.isEmpty() || scheduler.nextDeadlineMillis() <= now) {
            PageRequest request = pages.poll();
            apply(
                    request == null
                            ? new Event.Tick()
                            : new Event.PageArrived(
                                    request.taskUid(),
                                    request.datasetUid(),
                                    request.offset(),
                                    request.limit(),
                                    new DatasetPage(FILES, files.subList(0, request.limit()))));
        }
    }

    @Benchmark
    public long cycle() {
        Job job = queue.remove();
        String pilot = "pilot-" + done % WINDOW;
        done++;
        if (done % 1000 == 0) {
            now++;
        }
        apply(new Event.ReportArrived(
                new Status(pilot, "cpu", null, job.uid(), job.attempt(), job.route(), Status.Phase.STARTING)));
        apply(new Event.ReportArrived(new Result(
                pilot,
                "cpu",
                null,
                job.uid(),
                job.attempt(),
                job.route(),
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                job.fileOutUrl(),
                100L,
                null,
                job.fileLogUrl(),
                10L,
                null,
                null,
                null)));
        serve();
        return effects;
    }

    @Override
    public void job(String pool, Job job) {
        queue.add(job);
    }

    @Override
    public void notice(String pilotId, Notice notice) {
        throw new IllegalStateException("nobody is to be told anything: " + notice);
    }

    @Override
    public void register(Registration registration) {
        effects++;
    }

    @Override
    public void event(TaskEvent event) {
        effects++;
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
    public void row(Row row) {
        effects++;
    }

    @Override
    public void beat(Beat beat) {
        effects++;
    }
}
