package dev.weir.bench.scheduler;

import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRule;
import dev.weir.engine.limit.GroupSet;
import dev.weir.engine.limit.Groups;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.Order;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.backlog.BacklogOwner;
import dev.weir.scheduler.backlog.Dice;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A random file of a random network that may start now, out of a million files, while {@value #OUT} are out and each network may
 * have twice its share of them, at least two: one ends, another starts. Ended files wait again after each batch, outside the measured time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class ChoiceUnderLimits implements BacklogOwner {

    static final int OUT = 1000;
    private static final int FILES = 1_000_000;

    @Param({"10", "1000", "100000", "1000000"})
    public int groups;

    private Groups registry;
    private Backlog backlog;
    private final Dice dice = new Dice(1);
    private final GroupSet[] out = new GroupSet[OUT];
    private final long[] positions = new long[OUT];
    private List<String>[] keys;
    private final long[] ended = new long[OUT];
    private int endedCount;

    @Setup
    @SuppressWarnings("unchecked")
    public void fill() {
        int perGroup = Math.max(2, OUT / groups * 2);
        registry = new Groups(new LimitOptions(
                List.of(new GroupRule(GroupRule.Kind.NETWORK, null, GroupLimit.inFlight(perGroup))), Map.of()));
        backlog = new Backlog(this, Order.RANDOM, true, registry);
        keys = new List[groups];
        for (int i = 0; i < groups; i++) {
            keys[i] = List.of("net:10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + "/24");
        }
        for (int i = 0; i < FILES; i++) {
            backlog.add(i, 1, keys[i % groups]);
        }
        for (int i = 0; i < OUT; i++) {
            start(i);
        }
    }

    private void start(int slot) {
        if (!backlog.next(true, dice, 0, position -> false)) {
            throw new IllegalStateException("nothing may start");
        }
        out[slot] = backlog.groups();
        positions[slot] = backlog.position();
    }

    /** Puts the ended files back into the backlog. */
    @Setup(Level.Invocation)
    public void putBack() {
        for (int i = 0; i < endedCount; i++) {
            backlog.add(ended[i], 1, keys[(int) (ended[i] % groups)]);
        }
        endedCount = 0;
    }

    @Benchmark
    @OperationsPerInvocation(OUT)
    public void endOneAndStartAnother(Processor processor) {
        processor.start();
        for (int i = 0; i < OUT; i++) {
            registry.ended(out[i], 0);
            ended[endedCount++] = positions[i];
            start(i);
        }
        processor.stop(OUT);
    }

    @Override
    public String pool() {
        return "cpu";
    }

    @Override
    public boolean takesTurns() {
        return true;
    }

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public void readinessChanged() {
        // A single task: it is always its turn.
    }
}
