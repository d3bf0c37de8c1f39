package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulator.queue.QueueSimulation;
import org.junit.jupiter.api.Test;

class QueueSimulationTest {

    private static final int SEEDS = 1_000;

    @Test
    void theQueuesBreakNoRuleInAnySeed() throws InterruptedException {
        Simulator.Summary summary = Simulator.run(0, SEEDS, 1, QueueSimulation::run, done -> {});

        assertThat(summary.bad()).isEmpty();
        assertThat(summary.events() / SEEDS).as("events a seed").isGreaterThanOrEqualTo(250);
    }
}
