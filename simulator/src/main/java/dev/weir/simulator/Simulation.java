package dev.weir.simulator;

import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.scenario.Cut;
import dev.weir.simulator.scenario.ScenarioDraw;
import dev.weir.simulator.world.Tamper;
import dev.weir.simulator.world.World;
import java.util.function.Consumer;

/** One seed, from its first task to the close of its last dataset. The same seed and cut give the same run, event for event. */
public final class Simulation {

    private Simulation() {}

    public static SeedResult run(long seed) {
        return run(seed, Cut.NONE, Tamper.NONE, null);
    }

    /**
     * @param cut what is taken away from the seed's scenario
     * @param tamper lies between the core and the world, for tests of the simulator itself
     * @param trace takes a line for everything that happens; null for none
     */
    public static SeedResult run(long seed, Cut cut, Tamper tamper, Consumer<String> trace) {
        World world = new World(ScenarioDraw.of(seed, cut), tamper, trace);
        try {
            world.run();
            return new SeedResult(seed, world.events(), null);
        } catch (Violation violation) {
            return new SeedResult(seed, world.events(), violation);
        }
    }
}
