package dev.weir.bench.fairness;

import dev.weir.bench.fairness.Load.Change;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The jobs that each task got, compared with its due: with generalised processor sharing (GPS), a task of weight w gets w / W of each
 * job, W being the sum of the weights of all tasks that still have files. Time is counted in released jobs.
 */
final class Service {

    /** Tolerance for sums of fractions; less than one job of any load. */
    private static final double ROUNDING = 1e-7;

    private final Load load;
    private final int[] order;

    /** @param order the task of each job, in the order of their starts */
    Service(Load load, int[] order) {
        this.load = load;
        this.order = order;
    }

    /**
     * The interval that ends now. The arrays are reused.
     *
     * @param jobs started since the beginning
     * @param got jobs by task, in the interval
     * @param due jobs by task that GPS would have given in it
     * @param whole whether the task had files all the time
     * @param steady whether no task left and no weight changed
     */
    record Interval(int jobs, int[] got, double[] due, boolean[] whole, boolean steady) {

        /**
         * Jain's index over got / due of the tasks that had files all the time, 1/n to 1; 1 also when fewer than two had.
         */
        double jain() {
            double sum = 0;
            double squares = 0;
            int count = 0;
            for (int i = 0; i < got.length; i++) {
                if (whole[i] && due[i] > 0) {
                    double share = got[i] / due[i];
                    sum += share;
                    squares += share * share;
                    count++;
                }
            }
            return count < 2 ? 1 : squares == 0 ? 0 : sum * sum / (count * squares);
        }
    }

    /** The longest time without a job, of tasks that had files. */
    record Wait(int jobs, double ownJobs, int task) {}

    /**
     * Visits all intervals in order. Each is as long as GPS takes to give every task this multiple of its weight;
     * with a multiple of one and without changes that is a cycle: as many jobs as the sum of the weights.
     */
    void intervals(double cycles, Consumer<Interval> observer) {
        Walk walk = new Walk();
        double end = 0;
        while (true) {
            end += cycles;
            walk.begin();
            while (walk.virtual < end - ROUNDING) {
                if (walk.at == order.length) {
                    return;
                }
                walk.step();
            }
            observer.accept(walk.end());
        }
    }

    /**
     * Jain's index over intervals.
     *
     * @param mean of all intervals, weighted by their jobs
     * @param leastSteady minimum of the intervals without changes; 1 if there are none
     */
    record Jain(double mean, double leastSteady, int intervals, int steady) {}

    Jain jain(double cycles) {
        double[] figures = {0, 1, 0, 0};
        int[] before = {0};
        intervals(cycles, interval -> {
            double index = interval.jain();
            figures[0] += index * (interval.jobs() - before[0]);
            before[0] = interval.jobs();
            figures[2]++;
            if (interval.steady()) {
                figures[1] = Math.min(figures[1], index);
                figures[3]++;
            }
        });
        return new Jain(figures[0] / Math.max(1, before[0]), figures[1], (int) figures[2], (int) figures[3]);
    }

    /** The longest wait between two jobs of a task, in jobs that GPS would have given it meanwhile: 1 is the ideal. */
    Wait longestWait() {
        Walk walk = new Walk();
        int[] lastAt = new int[load.tasks()];
        double[] dueAt = new double[load.tasks()];
        Wait longest = new Wait(0, 0, -1);
        while (walk.at < order.length) {
            int task = order[walk.at];
            walk.step();
            walk.settle(task);
            double missed = walk.due[task] - dueAt[task];
            if (missed > longest.ownJobs()) {
                longest = new Wait(walk.at - lastAt[task], missed, task);
            }
            lastAt[task] = walk.at;
            dueAt[task] = walk.due[task];
        }
        return longest;
    }

    /** One pass over the jobs. */
    private final class Walk {
        private final int[] weights = load.weights().clone();
        private final long[] left = load.files().clone();
        private final int[] got = new int[load.tasks()];
        private final double[] due = new double[load.tasks()];
        private final boolean[] whole = new boolean[load.tasks()];
        /** The time that GPS has gone to, in jobs to a unit of weight; and where each task's due was counted up to. */
        private double virtual;

        private final double[] settledAt = new double[load.tasks()];
        private long total = Arrays.stream(weights).asLongStream().sum();
        private int at;
        private int changed;
        private boolean steady;

        void begin() {
            steady = true;
            for (int i = 0; i < weights.length; i++) {
                settle(i);
                whole[i] = left[i] > 0;
            }
            Arrays.fill(got, 0);
            Arrays.fill(due, 0);
        }

        Interval end() {
            for (int i = 0; i < weights.length; i++) {
                settle(i);
                whole[i] &= left[i] > 0;
            }
            return new Interval(at, got, due, whole, steady);
        }

        void settle(int task) {
            due[task] += weights[task] * (virtual - settledAt[task]);
            settledAt[task] = virtual;
        }

        void step() {
            while (changed < load.changes().size()
                    && load.changes().get(changed).afterJobs() <= at) {
                Change change = load.changes().get(changed++);
                settle(change.task());
                steady = false;
                total += change.weight() - weights[change.task()];
                weights[change.task()] = change.weight();
            }
            virtual += 1.0 / total;
            int task = order[at++];
            got[task]++;
            if (--left[task] == 0) {
                settle(task);
                steady = false;
                total -= weights[task];
                weights[task] = 0;
            }
        }
    }
}
