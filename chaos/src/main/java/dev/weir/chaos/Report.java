package dev.weir.chaos;

import dev.weir.chaos.judge.ExpectedTask;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.world.World;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The result of a run as JSON, whose fields docs/SIMULATION.md explains. */
final class Report {

    /** The goal for {@link StepResult#dispatchAgain}, in seconds. */
    static final double GOAL_SECONDS = 5;

    private static final int MOST_VIOLATIONS = 200;

    private Report() {}

    static Map<String, Object> of(Map<String, Object> arguments, World world, ChaosRun run, double seconds)
            throws SQLException {
        List<ExpectedTask> tasks = world.wfms().tasks();
        List<Violation> violations = run.violations();
        Map<String, Object> report = new LinkedHashMap<>(arguments);
        report.put("steps", run.steps());
        report.put("seconds", StepResult.rounded(seconds));
        report.put("tasks", tasks.size());
        report.put(
                "files",
                tasks.stream()
                        .mapToLong(task -> task.good().size() + task.bad().size())
                        .sum());
        report.put("attempts_of_the_crowd", world.crowd().dispatches().fresh());
        report.put("attempts_that_came_twice", world.crowd().dispatches().repeated());
        report.put("jobs_finished_by_http", world.finishedByHttp());
        report.put("losses", count(violations, "lost"));
        report.put("duplicates", count(violations, "two outcomes"));
        report.put("dispatch_again_s", recovery(run.steps()));
        report.put("violations", violations.size());
        report.put("violated", violations.stream().limit(MOST_VIOLATIONS).toList());
        report.put("machine", machine());
        return report;
    }

    private static long count(List<Violation> violations, String rule) {
        return violations.stream().filter(one -> one.rule().equals(rule)).count();
    }

    private static Map<String, Object> recovery(List<StepResult> steps) {
        double[] times = steps.stream()
                .map(StepResult::dispatchAgain)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        Map<String, Object> recovery = new LinkedHashMap<>();
        recovery.put("goal", GOAL_SECONDS);
        recovery.put("median", times.length == 0 ? null : times[times.length / 2]);
        recovery.put("longest", times.length == 0 ? null : times[times.length - 1]);
        recovery.put(
                "steps_over_goal",
                steps.stream()
                        .filter(step -> step.dispatchAgain() == null || step.dispatchAgain() > GOAL_SECONDS)
                        .count());
        return recovery;
    }

    private static Map<String, Object> machine() {
        Map<String, Object> machine = new LinkedHashMap<>();
        machine.put("cores", Runtime.getRuntime().availableProcessors());
        machine.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("java", Runtime.version().toString());
        machine.put(
                "load_average_1min",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return machine;
    }
}
