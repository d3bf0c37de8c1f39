package dev.weir.bench.fairness;

import dev.weir.bench.fairness.Load.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The loads for the comparison of policies. */
final class Loads {

    private static final int TASKS = 100;
    private static final long ENDLESS = 1L << 30;
    private static final int CYCLES_TO_A_CHANGE = 2;

    private Loads() {}

    /** A hundred tasks of weight 10. */
    static Load equal(int cycles) {
        int[] weights = new int[TASKS];
        Arrays.fill(weights, 10);
        return endless("equal weights", weights, cycles);
    }

    /** A hundred tasks with the weights 1 to 100. */
    static Load skewed(int cycles) {
        int[] weights = new int[TASKS];
        Arrays.setAll(weights, i -> i + 1);
        return endless("weights 1 to 100", weights, cycles);
    }

    /** A hundred tasks of which one at a time changes its weight; the first task keeps its weight of 50. */
    static Load changing(int cycles) {
        Random random = new Random(1);
        int[] weights = new int[TASKS];
        Arrays.setAll(weights, i -> i == 0 ? 50 : 1 + random.nextInt(100));
        Load steady = endless("changing weights", weights, cycles);
        List<Change> changes = new ArrayList<>();
        int count = cycles / CYCLES_TO_A_CHANGE;
        for (int i = 1; i <= count; i++) {
            int after = (int) ((long) steady.jobs() * i / (count + 1));
            changes.add(new Change(after, 1 + random.nextInt(TASKS - 1), 1 + random.nextInt(100)));
        }
        return new Load(steady.name(), steady.weights(), steady.files(), changes, steady.jobs());
    }

    /** Each queue is a task with as many files as it has jobs, and its priority as rank; until the last job has started. */
    static Load recorded(String name, List<Queue> queues) {
        int[] weights = new int[queues.size()];
        long[] files = new long[queues.size()];
        int jobs = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = queues.get(i).weight();
            files[i] = queues.get(i).jobs();
            jobs += queues.get(i).jobs();
        }
        return new Load(name, weights, files, List.of(), jobs);
    }

    private static Load endless(String name, int[] weights, int cycles) {
        int jobs = Arrays.stream(weights).sum() * cycles;
        long[] files = new long[weights.length];
        Arrays.fill(files, ENDLESS);
        return new Load(name, weights, files, List.of(), jobs);
    }
}
