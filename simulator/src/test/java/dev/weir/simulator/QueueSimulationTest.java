package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulator.queue.QueueSimulation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueSimulationTest {

    private static final int SEEDS = 50;

    @Test
    void theQueuesBreakNoRuleInAnySeed() throws InterruptedException {
        Simulator.Summary summary = Simulator.run(0, SEEDS, 2, QueueSimulation::run, done -> {});

        assertThat(summary.bad()).isEmpty();
        assertThat(summary.events() / SEEDS).as("events a seed").isGreaterThanOrEqualTo(400);
    }

    @Test
    void aReplayIsTheSameLineForLine() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();

        QueueSimulation.run(7, first::add);
        QueueSimulation.run(7, second::add);

        assertThat(first).isNotEmpty().isEqualTo(second);
    }
}
