package dev.weir.chaos;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.load.PushFlood;
import dev.weir.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** A second flood of pushes into one queue, beside datasets and another queue, and these alone before and after. For one thread. */
final class FloodRun {

    /** Until the code of the traffic is compiled, and after the first flood that of the flood: the compiler takes half of two cores until then. */
    private static final Duration WARM_UP = Duration.ofSeconds(60);

    private static final Duration ALONE = Duration.ofSeconds(20);
    /** Of the pace alone, which must be left beside the flood. */
    private static final double LEAST = 0.8;

    private final World world;
    private final Consumer<String> progress;
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<Violation> violations = new ArrayList<>();
    private final List<Pace> paces = new ArrayList<>();
    private double floodSeconds;
    private double longestGap;

    /** What goes on beside the flood, a second. */
    record Pace(
            @JsonProperty("jobs_a_second") double jobs,
            @JsonProperty("items_a_second") double items) {}

    FloodRun(World world, Consumer<String> progress) {
        this.world = world;
        this.progress = progress;
    }

    /** Pushes this many items twice; returns when all are accepted, and the pace after that is known. */
    void run(long count) throws IOException, InterruptedException {
        world.awaitTraffic();
        try (PushFlood flood = new PushFlood(world.site(), 3 * count)) {
            progress.accept("warming up: " + count + " pushes, and " + WARM_UP.toSeconds() + " s");
            flood.push(count);
            never.await(WARM_UP.toMillis(), TimeUnit.MILLISECONDS);
            alone();
            beside(flood, count);
            if (flood.waiting() < 2 * count) {
                violations.add(new Violation(
                        "item lost", null, null, flood.waiting() + " items wait of " + 2 * count + " accepted ones"));
            }
        }
        alone();
        judge();
    }

    private void beside(PushFlood flood, long count) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        int jobs = jobs();
        int items = items();
        world.crowd().dispatches().measureGap();
        flood.push(count);
        floodSeconds = seconds(begun);
        longestGap = StepResult.rounded(world.crowd().dispatches().longestGapSeconds());
        paces.add(pace(jobs, items, begun));
        progress.accept("beside " + Math.round(count / floodSeconds) + " pushes a second: " + last());
    }

    private void alone() throws InterruptedException {
        long begun = System.nanoTime();
        int jobs = jobs();
        int items = items();
        never.await(ALONE.toMillis(), TimeUnit.MILLISECONDS);
        paces.add(pace(jobs, items, begun));
        progress.accept("alone: " + last());
    }

    private Pace last() {
        return paces.get(paces.size() - 1);
    }

    private Pace pace(int jobs, int items, long sinceNanos) {
        double seconds = seconds(sinceNanos);
        return new Pace(StepResult.rounded((jobs() - jobs) / seconds), StepResult.rounded((items() - items) / seconds));
    }

    private void judge() {
        slowed("jobs", Pace::jobs);
        slowed("items of the other queue", Pace::items);
    }

    private void slowed(String what, ToDoubleFunction<Pace> of) {
        double beside = of.applyAsDouble(paces.get(1));
        double alone = Math.min(of.applyAsDouble(paces.get(0)), of.applyAsDouble(paces.get(2)));
        if (beside < LEAST * alone) {
            violations.add(new Violation(
                    "slowed", null, null, beside + " " + what + " a second beside the flood, " + alone + " without"));
        }
    }

    private int jobs() {
        return world.crowd().dispatches().fresh();
    }

    private int items() {
        return world.items().leases();
    }

    /** Before, beside and after the flood. */
    List<Pace> paces() {
        return List.copyOf(paces);
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    double floodSeconds() {
        return floodSeconds;
    }

    /** Without a new job at any pilot, beside the flood, in seconds. */
    double longestGap() {
        return longestGap;
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }
}
