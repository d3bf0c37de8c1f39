package dev.weir.chaos;

import dev.weir.chaos.hostile.Ledger;
import dev.weir.chaos.judge.ExpectedTask;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.world.World;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The result of a run as JSON, whose fields docs/SIMULATION.md explains. */
final class Report {

    /** The goal for {@link StepResult#dispatchAgain}, in seconds. */
    static final double GOAL_SECONDS = 5;

    private static final int MOST_VIOLATIONS = 200;
    private static final int SHOWN = 20;

    private Report() {}

    static Map<String, Object> of(Map<String, Object> arguments, World world, ChaosRun run, double seconds)
            throws SQLException {
        Map<String, Object> report = new LinkedHashMap<>(arguments);
        report.put("steps", run.steps());
        report.put("dispatch_again_s", recovery(run.steps(), StepResult::dispatchAgain));
        report.put("items_again_s", recovery(run.steps(), StepResult::itemsAgain));
        verdict(report, world, run.violations(), seconds);
        return report;
    }

    static Map<String, Object> of(
            Map<String, Object> arguments, World world, HostileRun run, List<Violation> violations, double seconds)
            throws SQLException {
        Map<String, Object> report = new LinkedHashMap<>(arguments);
        report.put("sent", run.sent());
        report.put(
                "rejected", run.sums().stream().mapToLong(Ledger.Sum::rejected).sum());
        report.put("by_kind", run.sums());
        report.put("flood_s", run.floodSeconds());
        report.put("bad_messages_a_second", StepResult.rounded(run.sent() / run.floodSeconds()));
        report.put("good_jobs_a_second", paces(run.rates()));
        report.put("restarts", run.restarts());
        report.put("memory", run.moments());
        verdict(report, world, violations, seconds);
        return report;
    }

    static Map<String, Object> of(
            Map<String, Object> arguments, World world, FloodRun run, List<Violation> violations, double seconds)
            throws SQLException {
        Map<String, Object> report = new LinkedHashMap<>(arguments);
        long pushed = ((Number) arguments.get("flood")).longValue();
        report.put("flood_s", StepResult.rounded(run.floodSeconds()));
        report.put("pushes_a_second", Math.round(pushed / run.floodSeconds()));
        report.put("longest_gap_s", run.longestGap());
        report.put("pace", paces(run.paces()));
        verdict(report, world, violations, seconds);
        return report;
    }

    private static <T> Map<String, T> paces(List<T> beforeBesideAfter) {
        Map<String, T> named = new LinkedHashMap<>();
        named.put("before", beforeBesideAfter.get(0));
        named.put("beside", beforeBesideAfter.get(1));
        named.put("after", beforeBesideAfter.get(2));
        return named;
    }

    /** What is the same for faults, bad input and floods: the good traffic, and the machine. */
    private static void verdict(Map<String, Object> report, World world, List<Violation> violations, double seconds)
            throws SQLException {
        List<ExpectedTask> tasks = world.wfms().tasks();
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
        report.put("items", world.items().accepted());
        report.put("leases_of_items", world.items().leases());
        report.put("answers", world.answers().answers());
        report.put("lookups", world.answers().lookups());
        report.put("losses", count(violations, "lost") + count(violations, "item lost"));
        report.put("duplicates", count(violations, "two outcomes") + count(violations, "item ran twice"));
        report.put("violations", violations.size());
        report.put("violated", violations.stream().limit(MOST_VIOLATIONS).toList());
        report.put("machine", machine());
    }

    /** The report in some lines, for people. */
    static List<String> lines(Map<String, Object> report) {
        List<String> lines = new ArrayList<>();
        lines.add(report.get("files") + " files of " + report.get("tasks") + " tasks, and " + report.get("items")
                + " items of a queue, and " + report.get("answers") + " answers: " + report.get("losses") + " lost, "
                + report.get("duplicates")
                + " with two outcomes");
        if (report.containsKey("sent")) {
            lines.add(report.get("sent") + " bad messages, " + report.get("bad_messages_a_second") + " a second: "
                    + report.get("rejected") + " rejected, the others without effect; good jobs a second: "
                    + report.get("good_jobs_a_second") + "; restarts: " + report.get("restarts"));
        } else if (report.containsKey("flood")) {
            lines.add(report.get("pushes_a_second") + " pushes a second into one queue; beside it: "
                    + report.get("pace"));
        } else {
            lines.add("jobs again after faults, in seconds: " + report.get("dispatch_again_s") + "; items: "
                    + report.get("items_again_s"));
        }
        List<?> violated = (List<?>) report.get("violated");
        violated.stream()
                .limit(SHOWN)
                .map(Violation.class::cast)
                .forEach(one -> lines.add("VIOLATED " + one.rule() + ": "
                        + (one.task() == null ? "" : "task " + one.task() + ", ")
                        + (one.file() == null ? "" : "file " + one.file() + ", ") + one.text()));
        if (violated.size() > SHOWN) {
            lines.add("and " + (violated.size() - SHOWN) + " more in the report");
        }
        return lines;
    }

    private static long count(List<Violation> violations, String rule) {
        return violations.stream().filter(one -> one.rule().equals(rule)).count();
    }

    private static Map<String, Object> recovery(List<StepResult> steps, Function<StepResult, Double> again) {
        double[] times = steps.stream()
                .map(again)
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
                        .filter(step -> again.apply(step) == null || again.apply(step) > GOAL_SECONDS)
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
