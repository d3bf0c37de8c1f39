package dev.weir.bench.scheduler;

import dev.weir.engine.interleave.Interleave;
import dev.weir.engine.interleave.Member;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The choice of the next task, among tasks with random weights from 1 to 100 that always have waiting files. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Choice {

    @Param({"1000", "1000000"})
    public int tasks;

    @Param({"iwrr"})
    public String policy;

    private Interleave interleave;

    /** A task as a policy sees it. */
    static final class Weighted extends Member {
        Weighted(long arrival, int weight) {
            this.arrival = arrival;
            weigh(weight, weight);
        }
    }

    @Setup
    public void fill() {
        Random random = new Random(1);
        interleave = Interleave.named(policy);
        for (int i = 0; i < tasks; i++) {
            interleave.add(new Weighted(i, 1 + random.nextInt(100)));
        }
    }

    @Benchmark
    public Member next() {
        return interleave.next();
    }
}
