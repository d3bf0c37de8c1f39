package dev.weir.placement.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunksBuilderTest {

    @Test
    void chunksComeInTheByteOrderOfDatasetSlashIdWithAllTheirValues() {
        Random random = new Random(30);
        ChunksBuilder builder = new ChunksBuilder();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            // '-' sorts before '/' and 'é' after all of ASCII: the order of the whole, not of the parts.
            String dataset = "d" + "-".repeat(random.nextInt(2)) + "é".repeat(random.nextInt(2)) + random.nextInt(3);
            String id = Integer.toString(random.nextInt(), 36) + "/" + i;
            builder.add(dataset, id, i, 1 + i % 5);
            names.add(dataset + "/" + id);
        }

        Chunks chunks = builder.build();

        List<String> sorted = new ArrayList<>(names);
        sorted.sort((one, other) ->
                Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8)));
        for (int i = 0; i < sorted.size(); i++) {
            assertThat(chunks.name(i)).isEqualTo(sorted.get(i));
            int added = (int) chunks.sizeBytes(i);
            assertThat(names.get(added)).isEqualTo(sorted.get(i));
            assertThat(chunks.weight(i)).isEqualTo(1 + added % 5);
            assertThat(sorted.get(i)).startsWith(chunks.datasetNames().get(chunks.dataset(i)) + "/");
        }
    }

    @Test
    void namesThatFillMoreThanASegmentAreAllKept() {
        ChunksBuilder builder = new ChunksBuilder();
        String longPart = "n".repeat(60_000);
        for (int i = 0; i < 600; i++) {
            builder.add("d", longPart + String.format("%04d", i), i, 1);
        }

        Chunks chunks = builder.build();

        for (int i = 0; i < 600; i++) {
            assertThat(chunks.name(i)).endsWith(String.format("n%04d", i));
        }
    }

    @Test
    void twoChunksWithTheSameWholeNameAreRefusedEvenIfTheirPartsDiffer() {
        ChunksBuilder builder =
                new ChunksBuilder().add("a/b", "c", 1, 1).add("x", "y", 1, 1).add("a", "b/c", 1, 1);

        assertThatThrownBy(builder::build)
                .isInstanceOfSatisfying(DuplicateChunkException.class, twice -> {
                    assertThat(twice.first()).isZero();
                    assertThat(twice.second()).isEqualTo(2);
                })
                .hasMessageContaining("'a/b/c'");
    }

    @ParameterizedTest
    @CsvSource({
        "'', i, 1, 1, dataset must not be empty",
        "d, '', 1, 1, id must not be empty",
        "d, i, -1, 1, size is -1",
        "d, i, 1125899906842625, 1, size is 1125899906842625",
        "d, i, 1, 0, weight is 0",
        "d, i, 1, 65536, weight is 65536"
    })
    void valuesOutOfRangeAreRefused(String dataset, String id, long size, int weight, String reason) {
        assertThatThrownBy(() -> new ChunksBuilder().add(dataset, id, size, weight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aNameThatIsTooLongIsRefused() {
        assertThatThrownBy(() -> new ChunksBuilder().add("d", "x".repeat(70_000), 1, 1))
                .hasMessageContaining("70002 bytes");
    }
}
