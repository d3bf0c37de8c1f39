package dev.weir.bench.scheduler;

import dev.weir.protocol.Order;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.Groups;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.GroupRule;
import dev.weir.scheduler.options.LimitOptions;
import java.util.List;
import java.util.Map;
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

/**
 * A random file of a random network that may start now, out of a million files, while {@value #OUT} are out and no network may have
 * more than two: one ends, one starts, and the one that ended is put back.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ChoiceUnderLimits implements Backlog.Owner {

    static final int OUT = 1000;
    private static final int FILES = 1_000_000;

    @Param({"10", "1000", "1000000"})
    public int groups;

    private Groups registry;
    private Backlog backlog;
    private final Dice dice = new Dice(1);
    private final Group[][] out = new Group[OUT][];
    private final long[] positions = new long[OUT];
    private List<String>[] keys;
    private int turn;

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

    @Benchmark
    public long endOneAndStartAnother() {
        turn = turn + 1 == OUT ? 0 : turn + 1;
        registry.ended(out[turn], 0);
        backlog.add(positions[turn], 1, keys[(int) (positions[turn] % groups)]);
        start(turn);
        return positions[turn];
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
    public boolean wantsToStart() {
        return true;
    }

    @Override
    public void readinessChanged() {
        // A single task: it is always its turn.
    }
}
