package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.simulator.queue.QueueSimulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator bites: it finds each of these deliberate bugs in the own source of the cores. The seed that found a bug last is tried first
 * ({@code mutants.tsv}); where it finds nothing any more, the first {@value #SEEDS} are. {@code -Dweir.regenerate=true} then looks
 * through all seeds of CI, and writes the file. Two at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
class MutantTest {

    private static final int SEEDS = 500;
    private static final int SEEDS_OF_CI = 10_000;
    private static final Path FOUND_BY = Path.of("src", "test", "resources", "mutants.tsv");

    private static final boolean REGENERATES = Boolean.getBoolean("weir.regenerate");
    private static final Map<String, Long> SEED_OF = new ConcurrentSkipListMap<>();

    @BeforeAll
    static void read() throws IOException {
        for (String line : Files.readAllLines(FOUND_BY)) {
            String[] fields = line.split("\t");
            SEED_OF.put(fields[1], Long.parseLong(fields[0]));
        }
    }

    @AfterAll
    static void write() throws IOException {
        if (REGENERATES) {
            List<String> lines = new ArrayList<>();
            Stream.concat(Mutants.all().stream(), QueueMutants.all().stream())
                    .forEach(mutant -> lines.add(SEED_OF.get(mutant.name()) + "\t" + mutant.name()));
            Files.write(FOUND_BY, lines);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.weir.simulator.Mutants#all")
    void theSimulatorFindsOutThat(Mutant mutant) throws ReflectiveOperationException {
        isFound(mutant, Simulation.class);
    }

    @ParameterizedTest
    @MethodSource("dev.weir.simulator.QueueMutants#all")
    void theSimulatorOfTheQueuesFindsOutThat(Mutant mutant) throws ReflectiveOperationException {
        isFound(mutant, QueueSimulation.class);
    }

    private static void isFound(Mutant mutant, Class<?> simulation) throws ReflectiveOperationException {
        Long known = SEED_OF.get(mutant.name());
        LongStream first = known == null ? LongStream.empty() : LongStream.of(known);
        LongStream others = LongStream.range(0, REGENERATES ? SEEDS_OF_CI : SEEDS);

        OptionalLong seed = new MutatedCore(mutant).firstSeedFound(simulation, LongStream.concat(first, others));

        assertThat(seed).as("the seed that gives away that %s", mutant).isPresent();
        SEED_OF.put(mutant.name(), seed.getAsLong());
    }
}
