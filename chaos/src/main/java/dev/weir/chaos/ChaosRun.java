package dev.weir.chaos;

import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.plan.Fault;
import dev.weir.chaos.plan.How;
import dev.weir.chaos.plan.Step;
import dev.weir.chaos.world.World;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries a plan out, and judges what came of the tasks. For one thread. */
final class ChaosRun {

    private static final Duration WARM = Duration.ofMinutes(3);
    /** For the first new job after faults. A later one counts as none. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** A fault of at least this must see a job. */
    private static final Duration LONG = Duration.ofSeconds(5);

    private final World world;
    private final Duration within;
    private final Consumer<String> progress;
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<StepResult> steps = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private long startNanos;

    /** @param within how soon after faults jobs must come again */
    ChaosRun(World world, Duration within, Consumer<String> progress) {
        this.world = world;
        this.within = within;
        this.progress = progress;
    }

    /** The whole of it; at the end all tasks are over or have had their time. */
    void run(List<Step> plan) throws IOException, SQLException, InterruptedException {
        startNanos = System.nanoTime();
        if (!until(() -> world.crowd().dispatches().fresh() > world.crowd().size(), WARM)) {
            throw new IOException("no job reached a pilot within " + WARM.toSeconds() + " s, without any fault; "
                    + world.wfms().lastTrouble());
        }
        for (Step step : plan) {
            never.await(step.pause().toMillis(), TimeUnit.MILLISECONDS);
            progress.accept(step.number() + "/" + plan.size() + " " + step);
            StepResult result = carryOut(step);
            steps.add(result);
            progress.accept(result.line());
            check(step, result);
        }
        progress.accept("no more faults: waiting for " + world.wfms().open() + " tasks");
        violations.addAll(new Ending(world).judge());
    }

    List<StepResult> steps() {
        return List.copyOf(steps);
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    private StepResult carryOut(Step step) throws IOException, SQLException, InterruptedException {
        var dispatches = world.crowd().dispatches();
        double at = seconds(startNanos);
        long begun = System.nanoTime();
        int before = dispatches.fresh();
        dispatches.measureGap();
        for (Fault fault : step.faults()) {
            world.hit(fault);
        }
        for (Fault fault : step.faults().stream()
                .sorted(Comparator.comparing(Fault::target))
                .toList()) {
            long left = fault.lasts().toNanos() - (System.nanoTime() - begun);
            never.await(left, TimeUnit.NANOSECONDS);
            world.heal(fault);
        }
        if (step.again()) {
            Fault second = new Fault(step.faults().get(0).target(), How.KILLED, AGAIN);
            never.await(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            world.hit(second);
            never.await(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            world.heal(second);
        }
        int meanwhile = dispatches.fresh() - before;
        List<String> ended = world.supervise();
        double away = seconds(begun);
        long back = System.nanoTime();
        // What the broker or a pilot has already says nothing of Weir; and full queues do not hide that it sends.
        int known = sent() + world.crowd().size();
        Double again = until(() -> sent() > known, PATIENCE) ? seconds(back) : null;
        return StepResult.of(step, at, away, again, dispatches.longestGapSeconds(), meanwhile, ended);
    }

    /** Jobs that reached a pilot or wait for one. */
    private int sent() throws IOException {
        return world.crowd().dispatches().fresh() + world.queuedJobs();
    }

    private void check(Step step, StepResult result) {
        if (result.dispatchAgain() == null || result.dispatchAgain() > within.toSeconds()) {
            violations.add(new Violation(
                    "recovery",
                    null,
                    null,
                    "after " + step + " no new job for "
                            + (result.dispatchAgain() == null ? PATIENCE.toSeconds() : result.dispatchAgain()) + " s"));
        }
        boolean alone = step.leavesDispatchAlone() && step.lasts().compareTo(LONG) >= 0;
        if (alone && result.attemptsMeanwhile() == 0) {
            violations.add(new Violation("stood still", null, null, "no job was sent during " + step));
        }
        for (String ended : result.endedByThemselves()) {
            violations.add(new Violation("ended", null, null, ended + " ended by itself after " + step));
        }
    }

    /** Whether something is so, by now. */
    private interface Question {
        boolean isSo() throws IOException;
    }

    private boolean until(Question question, Duration limit) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!question.isSo()) {
            if (System.nanoTime() - begun > limit.toNanos()) {
                return false;
            }
            never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
        return true;
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }
}
