package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueuesUnderFaultsTest {

    private static final int SEEDS = 500;
    private static final int STEPS = 200;

    @Test
    void whateverHappensNothingIsLostAndAllBoundsHold() {
        long popped = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            popped += run(seed);
        }
        assertThat(popped).as("items that were popped").isGreaterThan(SEEDS * 10L);
    }

    private static int run(long seed) {
        try {
            World world = new World(seed);
            for (int i = 0; i < STEPS; i++) {
                world.step();
            }
            world.drain();
            return world.popped;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
        }
    }
}
