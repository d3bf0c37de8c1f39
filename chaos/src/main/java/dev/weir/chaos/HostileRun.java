package dev.weir.chaos;

import dev.weir.chaos.hostile.Flood;
import dev.weir.chaos.hostile.Hostility;
import dev.weir.chaos.hostile.Ledger;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.world.Vitals;
import dev.weir.chaos.world.World;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Bad input beside good, and the good alone before and after. For one thread. */
final class HostileRun {

    /** Of the pace alone, which good jobs must keep: their reports wait behind bad ones in the same queue. */
    private static final double LEAST = 0.25;

    private static final Duration REJECTED_WITHIN = Duration.ofSeconds(60);
    /** The heap may have more of live objects by this and a quarter: tasks, commands and ids that were taken are kept for their time. */
    private static final double MORE_HEAP_MB = 64;

    private static final double MORE_HEAP = 1.25;
    /** Looks at the heap. More than the first and the last one take time. */
    private static final int PARTS = 4;

    private static final long SMALL = 20_000;
    private static final int SHORT_SECONDS = 3;
    private static final int LONG_SECONDS = 20;

    private final World world;
    private final Consumer<String> progress;
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<Moment> moments = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private List<Ledger.Sum> sums = List.of();
    private double floodSeconds;
    private long sent;
    private double before;
    private double during;
    private double after;

    /** The state of Weir's processes after so many bad messages. */
    record Moment(long sent, Vitals vitals) {}

    HostileRun(World world, Consumer<String> progress) {
        this.world = world;
        this.progress = progress;
    }

    /**
     * Sends this many bad messages; returns when each of them has been rejected that must be.
     *
     * @param perSecond most of them a second; 0 for as fast as Weir takes them
     */
    void run(long count, int perSecond, long seed) throws IOException, InterruptedException {
        world.awaitTraffic();
        world.crowd().hurry();
        boolean isSmall = count < SMALL;
        Duration calm = Duration.ofSeconds(isSmall ? SHORT_SECONDS : LONG_SECONDS);
        int parts = isSmall ? 1 : PARTS;
        look();
        before = rateWithin(calm);
        progress.accept("good jobs alone: " + before + " a second");
        try (Flood flood = new Flood(world.site(), new Hostility(seed, Instant.now(), world.heard()), perSecond)) {
            double seconds = 0;
            long jobs = 0;
            for (int part = 0; part < parts; part++) {
                long begun = System.nanoTime();
                int fresh = world.crowd().dispatches().fresh();
                flood.send(count * (part + 1) / parts - count * part / parts);
                seconds += seconds(begun);
                jobs += world.crowd().dispatches().fresh() - fresh;
                sent = count * (part + 1) / parts;
                progress.accept(sent + " bad messages in " + rounded(seconds) + " s, and " + jobs + " good jobs");
                if (part < parts - 1) {
                    look();
                }
            }
            floodSeconds = rounded(seconds);
            during = rounded(jobs / seconds);
            flood.awaitRejections(REJECTED_WITHIN);
            after = rateWithin(calm);
            progress.accept("good jobs alone again: " + after + " a second");
            look();
            sums = flood.ledger().sums();
            violations.addAll(flood.ledger().violations());
        }
        judge(isSmall);
        world.crowd().calm();
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    List<Moment> moments() {
        return List.copyOf(moments);
    }

    List<Ledger.Sum> sums() {
        return sums;
    }

    long sent() {
        return sent;
    }

    double floodSeconds() {
        return floodSeconds;
    }

    /** Good jobs a second before, during and after the bad input. */
    List<Double> rates() {
        return List.of(before, during, after);
    }

    /** Failures of Flink's jobs meanwhile; each restarts one. */
    int restarts() {
        return moments.get(moments.size() - 1).vitals().failures()
                - moments.get(0).vitals().failures();
    }

    private void judge(boolean isSmall) throws IOException, InterruptedException {
        for (String ended : world.supervise()) {
            violations.add(new Violation("ended", null, null, ended + " ended by itself"));
        }
        if (restarts() > 0) {
            violations.add(new Violation("restarted", null, null, restarts() + " failures of Flink's jobs"));
        }
        Vitals first = moments.get(0).vitals();
        moments.get(moments.size() - 1).vitals().heapMb().forEach((process, mb) -> {
            double most = first.heapMb().getOrDefault(process, 0.0) * MORE_HEAP + MORE_HEAP_MB;
            if (mb > most) {
                violations.add(new Violation(
                        "memory", null, null, process + " has " + mb + " MiB of live objects; at most " + most));
            }
        });
        double alone = Math.min(before, after);
        // A pace of a few seconds says no more than that there is one.
        if (during == 0 || !isSmall && during < LEAST * alone) {
            violations.add(new Violation(
                    "slowed",
                    null,
                    null,
                    during + " good jobs a second beside " + rounded(sent / floodSeconds) + " bad messages a second, "
                            + alone + " without them"));
        }
    }

    private void look() throws IOException, InterruptedException {
        moments.add(new Moment(sent, world.vitals()));
        progress.accept("live objects in MiB after " + sent + " bad messages: "
                + moments.get(moments.size() - 1).vitals().heapMb());
    }

    private double rateWithin(Duration time) throws InterruptedException {
        long begun = System.nanoTime();
        int fresh = world.crowd().dispatches().fresh();
        never.await(time.toMillis(), TimeUnit.MILLISECONDS);
        return rounded((world.crowd().dispatches().fresh() - fresh) / seconds(begun));
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private static double rounded(double value) {
        return StepResult.rounded(value);
    }
}
