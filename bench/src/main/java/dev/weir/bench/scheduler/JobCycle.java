package dev.weir.bench.scheduler;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.Job;
import dev.weir.protocol.PageRequest;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The path of a job through the core, from decoded reports to effects that are not encoded yet. {@code report}: a result arrives,
 * its output and log are registered, the next job leaves; the earlier report {@code starting} is not measured. {@code whole}: both
 * reports, so two events. Pages of datasets and ticks are included in both. The heap store encodes every value, as the store on
 * RocksDB does. Reports are made in batches before the measured time: a report that was just decoded is in the
 * processor's cache, but the job that it ends was started {@value Traffic#WINDOW} jobs earlier.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 6, time = 2)
@Measurement(iterations = 4, time = 2)
public class JobCycle {

    private static final int BATCH = 100;

    @Param({"report", "whole"})
    public String cycle;

    @Param({"true", "false"})
    public boolean mirror;

    private final Traffic traffic = new Traffic();
    private final ArrayDeque<Job> queue = new ArrayDeque<>();
    private final ArrayDeque<PageRequest> pages = new ArrayDeque<>();
    /** Jobs that their pilots have started, oldest first, as they will be reported. */
    private final ArrayDeque<Job> running = new ArrayDeque<>();

    private final Event[] starting = new Event[BATCH];
    private final Event[] finished = new Event[BATCH];
    private Scheduler scheduler;
    private boolean whole;
    private long taken;
    private long ended;
    private long now = 1_700_000_000_000L;
    private long effects;

    @Setup
    public void start() {
        whole = cycle.equals("whole");
        scheduler = new Scheduler(
                SchedulerOptions.defaults()
                        .withPool("cpu", PoolOptions.defaults().withWindow(Traffic.WINDOW))
                        .withMirror(new MirrorOptions(
                                mirror, MirrorOptions.defaults().taskInterval())),
                new HeapStore());
        for (int i = 0; i < Traffic.TASKS; i++) {
            apply(new Event.TaskArrived(Traffic.task(i)));
        }
        serve();
        while (queue.size() > BATCH) {
            apply(startNext());
        }
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
                                    traffic.answer(request)));
        }
    }

    /** Pilots take jobs and report {@code starting}; the results of the next batch are made outside the measured time. */
    @Setup(Level.Invocation)
    public void take() {
        now++;
        for (int i = 0; i < BATCH; i++) {
            starting[i] = startNext();
            if (!whole) {
                apply(starting[i]);
            }
        }
        for (int i = 0; i < BATCH; i++) {
            finished[i] = new Event.ReportArrived(Traffic.finished(Traffic.pilot(ended++), running.remove()));
        }
    }

    private Event startNext() {
        Job job = queue.remove();
        running.add(job);
        return new Event.ReportArrived(Traffic.starting(Traffic.pilot(taken++), job));
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long cycle(Processor processor) {
        processor.start();
        for (int i = 0; i < BATCH; i++) {
            if (whole) {
                apply(starting[i]);
            }
            apply(finished[i]);
            serve();
        }
        processor.stop(BATCH);
        return effects;
    }

    private void apply(Event event) {
        List<Effect> decided = scheduler.apply(event, now);
        for (int i = 0; i < decided.size(); i++) {
            Effect effect = decided.get(i);
            if (effect instanceof Effect.SendJob send) {
                queue.add(send.job());
            } else if (effect instanceof Effect.AskPage ask) {
                pages.add(ask.request());
            } else if (effect instanceof Effect.SendNotice || effect instanceof Effect.Reject) {
                throw new IllegalStateException("not expected: " + effect);
            } else {
                effects++;
            }
        }
    }
}
