package dev.weir.simulator.truth;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether interleaved weighted round-robin serves each task that always has something ready as often as it must.
 *
 * <p>The bound. In a cycle, a task of weight w gives one job in each of the rounds 1 to w. Let task i be ready from right after one
 * of its jobs until right after p more, and look at a task j: each full cycle of i (w<sub>i</sub> jobs of it) holds at most
 * w<sub>j</sub> jobs of j; the rest of a cycle that i has left, because its weight is used up, holds at most
 * (w<sub>j</sub> − w<sub>i</sub>)<sup>+</sup> of them; and in the rounds of i's started cycle j gives at most one job a round,
 * for at most w<sub>j</sub> rounds. So j gives, before the job p + 1 of i, at most
 *
 * <p>φ(p) = ⌊p / w<sub>i</sub>⌋ · w<sub>j</sub> + (w<sub>j</sub> − w<sub>i</sub>)<sup>+</sup> + min((p mod w<sub>i</sub>) + 1, w<sub>j</sub>)
 *
 * <p>which is φ<sub>i,j</sub> of S. M. Tabatabaee, J.-Y. Le Boudec, M. Boyer, "Interleaved Weighted Round-Robin: A Network Calculus
 * Analysis" (ITC 32, 2020), theorem 1, for jobs as packets of one length. Tasks that join, return or are weighted anew wait
 * for the next round, so for j only the larger of its weights counts, and the count of i starts again.
 */
final class Fairness {

    private static final class Watch {
        final Map<String, int[]> others = new HashMap<>();
        int jobs;
        int weight;
    }

    private final Map<String, Integer> weights = new HashMap<>();
    private final Map<String, Watch> watches = new HashMap<>();

    /** From now on the task is not known to have been ready all the time. */
    void interrupt(String task) {
        watches.remove(task);
    }

    void interruptAll() {
        watches.clear();
    }

    /**
     * A job of the task is released.
     *
     * @param heaviest the largest weight that it was ever given: it may be in its round with one that it has lost since
     * @param watched whether the task stays ready after this and its weight does not change by itself
     */
    void serve(String task, int weight, int heaviest, boolean watched) {
        weights.merge(task, Math.max(weight, heaviest), Math::max);
        Watch own = watches.get(task);
        if (own != null && own.weight == weight) {
            check(task, own);
            own.jobs++;
            own.others.values().forEach(counts -> counts[1] = 0);
        } else {
            own = null;
            watches.remove(task);
        }
        watches.forEach((other, watch) -> {
            if (!other.equals(task)) {
                int[] counts = watch.others.computeIfAbsent(task, name -> new int[2]);
                counts[0]++;
                counts[1]++;
            }
        });
        if (!watched) {
            watches.remove(task);
        } else if (own == null) {
            Watch fresh = new Watch();
            fresh.weight = weight;
            watches.put(task, fresh);
        }
    }

    private void check(String task, Watch own) {
        own.others.forEach((other, counts) -> {
            int weight = weights.get(other);
            Violation.check(
                    counts[0] <= most(own.jobs, own.weight, weight) && counts[1] <= most(0, own.weight, weight),
                    "service of always-backlogged tasks within the IWRR bound",
                    "between",
                    own.jobs + 1,
                    "jobs of task",
                    task,
                    "of weight",
                    own.weight,
                    "task",
                    other,
                    "of weight",
                    weight,
                    "gave",
                    counts[0] + ", and",
                    counts[1],
                    "since the last one; allowed are",
                    most(own.jobs, own.weight, weight),
                    "and",
                    most(0, own.weight, weight));
        });
    }

    /** φ(p) of the class comment. */
    static int most(int p, int own, int other) {
        return p / own * other + Math.max(0, other - own) + Math.min(p % own + 1, other);
    }

    @Override
    public String toString() {
        return Arrays.toString(watches.keySet().toArray());
    }
}
