package dev.weir.pilot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlaceholdersTest {

    private static final int INPUTS = 10_000;

    @TempDir
    Path temp;

    private Placeholders placeholders;

    @BeforeEach
    void prepare() throws Exception {
        List<Path> inputs =
                IntStream.range(0, INPUTS).mapToObj(i -> Path.of("/in/" + i)).toList();
        placeholders = new Placeholders(
                new TestJobs(temp).job("j1", "program", ""), inputs, Path.of("/list"), Path.of("/o"), Path.of("/l"));
    }

    @Test
    void allInputsOfTheLargestMergeFit() {
        assertThat(placeholders.fill(List.of("a", "{file_in}", "b:{file_in}"))).hasSize(INPUTS + 2);
    }

    @Test
    void wordsThatWouldFillTheMemoryAreRefusedBeforeTheyAreBuilt() {
        for (String word : List.of("{file_in}", "x{file_in}", "{file_in}{file_in}")) {
            assertThatThrownBy(() -> placeholders.fill(Collections.nCopies(7000, word)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("{file_in_list}");
        }
    }
}
