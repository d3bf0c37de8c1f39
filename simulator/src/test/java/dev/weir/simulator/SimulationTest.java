package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulator.scenario.Cut;
import dev.weir.simulator.world.Tamper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final int SEEDS = 50;

    @Test
    void theCoreBreaksNoRuleInAnySeed() throws InterruptedException {
        Simulator.Summary summary = Simulator.run(0, SEEDS, 2, Simulation::run, done -> {});

        assertThat(summary.bad()).isEmpty();
        assertThat(summary.events() / SEEDS).as("events a seed").isGreaterThanOrEqualTo(2_000);
    }

    @Test
    void theSameSeedGivesTheSameRunWhateverTheThreads() throws InterruptedException {
        Map<Long, Long> events = new ConcurrentHashMap<>();
        Simulator.run(1_000, 20, 3, Simulation::run, done -> events.put(done.seed(), done.events()));

        LongStream.range(1_000, 1_020)
                .forEach(seed -> assertThat(Simulation.run(seed).events())
                        .as("events of seed %d", seed)
                        .isEqualTo(events.get(seed)));
    }

    @Test
    void aReplayIsTheSameLineForLine() {
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();

        Simulation.run(7, Cut.NONE, Tamper.NONE, first::add);
        Simulation.run(7, Cut.NONE, Tamper.NONE, second::add);

        assertThat(first).isNotEmpty().isEqualTo(second);
    }

    @Test
    void theSmallestFailingSeedIsLookedAtFirst() throws InterruptedException {
        Simulator.Summary summary = Simulator.run(
                0,
                4,
                2,
                seed -> new SeedResult(
                        seed,
                        100 - seed,
                        seed == 0 ? null : new dev.weir.simulator.invariant.Violation("rule", "seed " + seed)),
                done -> {});

        assertThat(summary.bad()).extracting(SeedResult::seed).containsExactly(1L, 2L, 3L);
        assertThat(summary.smallest().seed()).isEqualTo(3);
    }
}
