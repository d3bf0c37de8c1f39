package dev.weir.bench.fairness;

import dev.weir.bench.Benchmark;
import dev.weir.bench.BenchmarkContext;
import dev.weir.bench.Row;
import dev.weir.scheduler.options.PoolOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code ./weir bench fairness}: compares interleaved weighted round-robin with weighted round-robin and weighted fair queueing. */
public final class FairnessBenchmark implements Benchmark {

    static final List<String> POLICIES = List.of(PoolOptions.IWRR, PoolOptions.WRR, PoolOptions.WFQ);
    private static final double GOAL_JAIN = 0.999;

    @Override
    public String name() {
        return "fairness";
    }

    @Override
    public String description() {
        return "IWRR, WRR and WFQ against GPS: share over time, Jain's index, longest wait (--input: a CSV of queues)";
    }

    @Override
    public List<Row> run(BenchmarkContext context) throws Exception {
        int cycles = context.quick() ? 4 : 40;
        List<Queue> queues =
                context.input().isPresent() ? Queue.read(context.input().get()) : Queue.ofLhcb();
        context.note(
                "queues",
                context.input().map(file -> file.getFileName().toString()).orElse("summary by priority, part of Weir"));
        List<Load> loads = List.of(
                Loads.equal(cycles),
                Loads.skewed(cycles),
                Loads.changing(cycles),
                Loads.recorded("LHCb queues", queues));
        List<Row> rows = new ArrayList<>();
        List<Map<String, Object>> table = new ArrayList<>();
        Figures figures = new Figures(context, loads);
        for (Load load : loads) {
            for (String policy : POLICIES) {
                context.progress(load.name() + ", " + policy);
                Service service = new Service(load, CoreRun.order(load, policy));
                Map<String, Object> facts = facts(load, policy, service);
                table.add(facts);
                rows.addAll(rows(policy + ", " + load.name(), policy, facts));
                figures.take(load, policy, service);
            }
        }
        context.note("fairness", table);
        figures.draw();
        return rows;
    }

    private static Map<String, Object> facts(Load load, String policy, Service service) {
        Service.Jain cycle = service.jain(1);
        Service.Wait wait = service.longestWait();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("load", load.name());
        facts.put("policy", policy);
        facts.put("tasks", load.tasks());
        facts.put("jobs", load.jobs());
        facts.put("cycles", cycle.intervals());
        facts.put("steady_cycles", cycle.steady());
        facts.put("jain_steady_cycle_least", cycle.leastSteady());
        facts.put("jain_cycle_mean", cycle.mean());
        facts.put("jain_tenth_mean", service.jain(0.1).mean());
        facts.put("longest_wait_own_jobs", wait.ownJobs());
        facts.put("longest_wait_jobs", wait.jobs());
        return facts;
    }

    private static List<Row> rows(String what, String policy, Map<String, Object> facts) {
        double least = (double) facts.get("jain_steady_cycle_least");
        String jain = what + ": Jain's index, lowest of the unchanged cycles";
        return List.of(
                policy.equals(PoolOptions.IWRR) ? Row.atLeast(jain, least, GOAL_JAIN, "") : Row.of(jain, least, ""),
                Row.of(what + ": Jain's index, mean of all cycles", (double) facts.get("jain_cycle_mean"), ""),
                Row.of(what + ": Jain's index, mean of tenths of a cycle", (double) facts.get("jain_tenth_mean"), ""),
                Row.of(what + ": longest wait, own jobs missed", (double) facts.get("longest_wait_own_jobs"), ""),
                Row.of(what + ": longest wait, jobs of all tasks", (int) facts.get("longest_wait_jobs"), ""));
    }
}
