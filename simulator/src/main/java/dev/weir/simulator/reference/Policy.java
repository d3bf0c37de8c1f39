package dev.weir.simulator.reference;

import dev.weir.scheduler.options.PoolOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Whose turn it is among the tasks of a pool that can give a job, by the definition of each policy. */
abstract class Policy {

    private static final Comparator<RefTask> BY_ARRIVAL = Comparator.comparingInt(task -> task.arrival);

    /** The tasks that can give. */
    final TreeSet<RefTask> ready = new TreeSet<>(BY_ARRIVAL);

    static Policy named(String policy) {
        return switch (policy) {
            case PoolOptions.IWRR -> new Interleaved();
            case PoolOptions.WRR -> new RoundRobin();
            case PoolOptions.WFQ -> new FairQueueing();
            default -> new Strict();
        };
    }

    void join(RefTask task, long event) {
        ready.add(task);
    }

    void leave(RefTask task) {
        ready.remove(task);
    }

    /**
     * Whose turn it is; null when no task can give.
     *
     * @param actual the task that the core chose, for turns that the definition leaves open
     */
    abstract RefTask next(RefTask actual);

    /**
     * A cycle has as many rounds as the largest weight. In round r each task of weight r or more gives one job, in order of arrival. A
     * task that comes, comes back, or changes its weight joins at the next round.
     */
    private static final class Interleaved extends Policy {

        private final TreeSet<RefTask> toGive = new TreeSet<>(BY_ARRIVAL);
        private int round;

        @Override
        void leave(RefTask task) {
            super.leave(task);
            toGive.remove(task);
        }

        @Override
        RefTask next(RefTask actual) {
            if (toGive.isEmpty()) {
                begin(round + 1);
            }
            if (toGive.isEmpty()) {
                begin(ready.isEmpty() ? 0 : 1);
            }
            return toGive.pollFirst();
        }

        private void begin(int next) {
            round = next;
            ready.stream().filter(task -> task.weight() >= round).forEach(toGive::add);
        }
    }

    /** Each task gives as many jobs in a row as its weight. One that comes joins at the end; of several at once, in any order. */
    private static final class RoundRobin extends Policy {

        private final Map<RefTask, Long> circle = new LinkedHashMap<>();
        private int given;
        private long rotations;

        @Override
        void join(RefTask task, long event) {
            super.join(task, event);
            circle.putIfAbsent(task, event);
        }

        @Override
        RefTask next(RefTask actual) {
            while (!circle.isEmpty()) {
                RefTask first = first(actual);
                if (!ready.contains(first)) {
                    circle.remove(first);
                    given = 0;
                } else if (given >= first.weight()) {
                    circle.remove(first);
                    circle.put(first, --rotations);
                    given = 0;
                } else {
                    given++;
                    return first;
                }
            }
            return null;
        }

        private RefTask first(RefTask actual) {
            List<RefTask> order = new ArrayList<>(circle.keySet());
            RefTask first = order.get(0);
            boolean open = given == 0 && actual != null && circle.containsKey(actual) && ready.contains(first);
            if (!open || first == actual || !circle.get(first).equals(circle.get(actual))) {
                return first;
            }
            Map<RefTask, Long> others = new LinkedHashMap<>(circle);
            circle.clear();
            circle.put(actual, others.remove(actual));
            circle.putAll(others);
            return actual;
        }
    }

    /** Each turn ends, in virtual time, 1/weight after the one before or after now; the earliest end goes first. */
    private static final class FairQueueing extends Policy {

        private final Map<RefTask, Double> ends = new HashMap<>();
        private final Map<RefTask, Double> lastEnd = new HashMap<>();
        private double virtualTime;

        @Override
        void join(RefTask task, long event) {
            super.join(task, event);
            ends.put(task, Math.max(virtualTime, lastEnd.getOrDefault(task, 0.0)) + 1.0 / task.weight());
        }

        @Override
        RefTask next(RefTask actual) {
            RefTask first = ready.stream()
                    .min(Comparator.<RefTask>comparingDouble(ends::get).thenComparing(BY_ARRIVAL))
                    .orElse(null);
            if (first != null) {
                virtualTime = ends.get(first);
                lastEnd.put(first, virtualTime);
                ends.put(first, virtualTime + 1.0 / first.weight());
            }
            return first;
        }
    }

    /** The highest rank goes first, then arrival. */
    private static final class Strict extends Policy {

        @Override
        RefTask next(RefTask actual) {
            return ready.stream()
                    .min(Comparator.<RefTask>comparingDouble(task -> -task.rank).thenComparing(BY_ARRIVAL))
                    .orElse(null);
        }
    }
}
