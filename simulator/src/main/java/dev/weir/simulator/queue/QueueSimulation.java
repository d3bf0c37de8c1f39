package dev.weir.simulator.queue;

import dev.weir.simulator.SeedResult;
import dev.weir.simulator.invariant.Violation;
import java.util.function.Consumer;

/** One seed of the queues: a time with faults, then everything is taken and finished. The same seed gives the same run, event for event. */
public final class QueueSimulation {

    private static final int STEPS = 200;

    private QueueSimulation() {}

    public static SeedResult run(long seed) {
        return run(seed, null);
    }

    /** @param trace takes a line for everything that happens; null for none */
    public static SeedResult run(long seed, Consumer<String> trace) {
        QueueWorld world = new QueueWorld(seed, trace);
        try {
            for (int i = 0; i < STEPS; i++) {
                world.step();
            }
            new QueueEnd(world, seed).run();
            return new SeedResult(seed, world.events(), null);
        } catch (Violation violation) {
            return new SeedResult(seed, world.events(), violation);
        } catch (RuntimeException | StackOverflowError failure) {
            return new SeedResult(seed, world.events(), new Violation("no exception", failure.toString(), failure));
        }
    }
}
