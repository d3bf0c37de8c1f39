package dev.weir.placement.diff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.ChunksBuilder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameIndexTest {

    @Test
    void everyChunkIsFoundByItsNameAndNothingElseIs() {
        ChunksBuilder builder = new ChunksBuilder();
        for (int i = 0; i < 5_000; i++) {
            builder.add("d" + i % 3, Integer.toString(i), 1, 1);
        }
        Chunks chunks = builder.build();
        NameIndex index = new NameIndex(chunks);

        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            assertThat(index.find(chunks.name(chunk).getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(chunk);
        }
        assertThat(index.find("d0/5001".getBytes(StandardCharsets.UTF_8))).isEqualTo(-1);
        assertThat(index.find(new byte[0])).isEqualTo(-1);
    }

    @Test
    void anIndexOfNothingFindsNothing() {
        assertThat(new NameIndex(new ChunksBuilder().build()).find(new byte[] {1}))
                .isEqualTo(-1);
    }

    /** A full table has no slot at which the search for a missing name could end. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 1_023, 1_024, 1_025})
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theSearchForAMissingNameEndsHoweverManyChunksThereAre(int count) {
        ChunksBuilder builder = new ChunksBuilder();
        for (int i = 0; i < count; i++) {
            builder.add("d", Integer.toString(i), 1, 1);
        }
        NameIndex index = new NameIndex(builder.build());

        assertThat(index.find("d/gone".getBytes(StandardCharsets.UTF_8))).isEqualTo(-1);
        assertThat(index.find("d/0".getBytes(StandardCharsets.UTF_8))).isZero();
    }
}
