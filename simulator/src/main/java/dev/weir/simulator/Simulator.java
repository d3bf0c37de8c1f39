package dev.weir.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Runs many seeds, on several threads; what each seed does does not depend on them. */
public final class Simulator {

    private Simulator() {}

    /**
     * @param from the first seed
     * @param seeds how many, from 1
     * @param threads how many run at once, from 1
     * @param run what runs one seed, e.g. {@link Simulation#run(long)}
     * @param progress is told of each seed that has ended, by the threads that ran them
     */
    public static Summary run(
            long from, long seeds, int threads, LongFunction<SeedResult> run, Consumer<SeedResult> progress)
            throws InterruptedException {
        AtomicLong next = new AtomicLong(from);
        AtomicLong events = new AtomicLong();
        Callable<List<SeedResult>> worker = () -> {
            List<SeedResult> bad = new ArrayList<>();
            for (long seed = next.getAndIncrement(); seed < from + seeds; seed = next.getAndIncrement()) {
                SeedResult result = run.apply(seed);
                events.addAndGet(result.events());
                if (result.violation() != null) {
                    bad.add(result);
                }
                progress.accept(result);
            }
            return bad;
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<SeedResult> bad = new ArrayList<>();
            for (Future<List<SeedResult>> done : pool.invokeAll(java.util.Collections.nCopies(threads, worker))) {
                bad.addAll(done.get());
            }
            bad.sort(Comparator.comparingLong(SeedResult::seed));
            return new Summary(seeds, events.get(), bad);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the simulator itself failed: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /**
     * How many seeds ended.
     *
     * @param events that all cores were given together
     * @param bad the seeds that broke a rule, smallest seed first
     */
    public record Summary(long seeds, long events, List<SeedResult> bad) {

        /** The failing seed with the fewest events: the one to look at first. Null when there is none. */
        public SeedResult smallest() {
            return bad.stream()
                    .min(Comparator.comparingLong(SeedResult::events))
                    .orElse(null);
        }
    }
}
