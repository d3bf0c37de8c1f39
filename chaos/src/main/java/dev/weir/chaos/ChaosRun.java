package dev.weir.chaos;

import dev.weir.chaos.judge.Disturbance;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.plan.Fault;
import dev.weir.chaos.plan.How;
import dev.weir.chaos.plan.Step;
import dev.weir.chaos.plan.Target;
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

    /** For the first new job after faults. A later one counts as none. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** A fault of at least this must see a job. */
    private static final Duration LONG = Duration.ofSeconds(5);

    /** A restore goes back to a checkpoint before the fault, which may be so old. */
    private static final Duration CHECKPOINT_AGE = Duration.ofSeconds(10);

    private final World world;
    private final Duration within;
    private final Consumer<String> progress;
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<StepResult> steps = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<Disturbance> disturbances = new ArrayList<>();
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
        world.awaitTraffic();
        for (Step step : plan) {
            never.await(step.pause().toMillis(), TimeUnit.MILLISECONDS);
            progress.accept(step.number() + "/" + plan.size() + " " + step);
            StepResult result = carryOut(step);
            steps.add(result);
            progress.accept(result.line());
            check(step, result);
        }
        progress.accept("no more faults: waiting for " + world.wfms().open() + " tasks and "
                + world.items().open() + " items");
        violations.addAll(new Ending(world).judge(disturbances));
    }

    List<StepResult> steps() {
        return List.copyOf(steps);
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    private StepResult carryOut(Step step) throws IOException, SQLException, InterruptedException {
        var dispatches = world.crowd().dispatches();
        int known = known();
        double at = seconds(startNanos);
        long begun = System.nanoTime();
        int before = dispatches.fresh();
        int itemsBefore = world.items().leases();
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
        int items = world.items().leases();
        List<String> ended = world.supervise();
        double away = seconds(begun);
        long back = System.nanoTime();
        int knownAfter = known();
        Since jobsAgain = new Since(back, () -> sent() > knownAfter);
        Since itemsAgain = new Since(back, () -> world.items().leases() > items);
        // Both are asked each time.
        var unused = until(() -> jobsAgain.isSo() & itemsAgain.isSo(), PATIENCE);
        if (step.touchesMemory()) {
            disturbances.add(new Disturbance(begun - CHECKPOINT_AGE.toNanos(), System.nanoTime()));
        }
        return StepResult.of(
                step,
                at,
                away,
                jobsAgain.seconds,
                itemsAgain.seconds,
                dispatches.longestGapSeconds(),
                Math.max(0, known - before),
                meanwhile,
                items - itemsBefore,
                ended);
    }

    /** Jobs that reached a pilot or wait for one. */
    private int sent() throws IOException {
        return world.crowd().dispatches().fresh() + world.queuedJobs();
    }

    /** What the broker or a pilot has already says nothing of Weir; and full queues do not hide that it sends. */
    private int known() throws IOException {
        return sent() + world.crowd().size();
    }

    private void check(Step step, StepResult result) {
        recovered(step, "job", result.dispatchAgain());
        recovered(step, "item", result.itemsAgain());
        boolean alone = step.leavesDispatchAlone() && step.lasts().compareTo(LONG) >= 0;
        if (alone && result.attemptsMeanwhile() <= result.jobsKnown()) {
            violations.add(new Violation("stood still", null, null, "no job was sent during " + step));
        }
        // Each worker may have had an item on its way to it.
        if (alone && result.itemsMeanwhile() <= world.items().workers() && !step.hits(Target.GATEWAY)) {
            violations.add(new Violation("stood still", null, null, "no item was given during " + step));
        }
        for (String ended : result.endedByThemselves()) {
            violations.add(new Violation("ended", null, null, ended + " ended by itself after " + step));
        }
    }

    private void recovered(Step step, String what, Double again) {
        if (again == null || again > within.toSeconds()) {
            violations.add(new Violation(
                    "recovery",
                    null,
                    null,
                    "after " + step + " no new " + what + " for " + (again == null ? PATIENCE.toSeconds() : again)
                            + " s"));
        }
    }

    /** When something was so first. */
    private static final class Since {

        private final long fromNanos;
        private final Question question;
        private Double seconds;

        Since(long fromNanos, Question question) {
            this.fromNanos = fromNanos;
            this.question = question;
        }

        boolean isSo() throws IOException {
            if (seconds == null && question.isSo()) {
                seconds = ChaosRun.seconds(fromNanos);
            }
            return seconds != null;
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
