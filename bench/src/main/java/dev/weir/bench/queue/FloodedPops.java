package dev.weir.bench.queue;

import dev.weir.bench.Row;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** Pops while as many items are pushed as the system takes. */
final class FloodedPops {

    private static final int POPS_PER_SECOND = 50;
    private static final int WAVE = 5_000;
    private static final double GOAL_MILLIS = 100;
    private static final double MILLI = 1e6;

    private final WeirQueues weir;
    private final Workers workers;
    private final Duration time;

    FloodedPops(WeirQueues weir, Workers workers, Duration time) {
        this.weir = weir;
        this.workers = workers;
        this.time = time;
    }

    List<Row> measure() throws Exception {
        AtomicBoolean flows = new AtomicBoolean(true);
        AtomicLong pushed = new AtomicLong();
        CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> {
            while (flows.get()) {
                fill();
                pushed.addAndGet(WAVE);
            }
        });
        long begin = System.nanoTime();
        Histogram times = workers.times(POPS_PER_SECOND, time);
        double seconds = (System.nanoTime() - begin) / 1e9;
        long during = pushed.get();
        flows.set(false);
        flood.get(1, TimeUnit.MINUTES);
        String load = "during a flood of pushes, at " + POPS_PER_SECOND + "/s: pop, ";
        return List.of(
                Row.of("pushes of that flood", during / seconds, "1/s"),
                Row.of(load + "median", times.getValueAtPercentile(50) / MILLI, "ms"),
                Row.atMost(load + "99th percentile", times.getValueAtPercentile(99) / MILLI, GOAL_MILLIS, "ms"));
    }

    private void fill() {
        try {
            weir.fill(WAVE);
        } catch (Exception e) {
            throw new IllegalStateException("the flood has ended", e);
        }
    }
}
