package dev.weir.scheduler.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChunkListTest {

    private final ChunkList list = new ChunkList();

    @Test
    void itFindsTheChunkOfEveryPositionHoweverChunksComeAndGo() {
        TreeMap<Long, ChunkRef> expected = new TreeMap<>();
        Random random = new Random(3);
        long end = 0;
        for (int step = 0; step < 4_000; step++) {
            if (expected.isEmpty() || random.nextInt(100) < (step < 2_000 ? 60 : 40)) {
                ChunkRef chunk = new ChunkRef(end + random.nextInt(3), 1 + random.nextInt(20), step);
                end = chunk.end();
                list.add(chunk);
                expected.put(chunk.first, chunk);
            } else {
                // The first, or the one before any position.
                Long first = expected.floorKey(
                        random.nextBoolean() ? expected.firstKey() : random.nextLong(expected.firstKey(), end));
                list.remove(expected.remove(first));
            }
            assertThat(list.size()).isEqualTo(expected.size());
            assertThat(list.first())
                    .isSameAs(expected.isEmpty() ? null : expected.firstEntry().getValue());
            long position = random.nextLong(end + 5);
            Map.Entry<Long, ChunkRef> at = expected.floorEntry(position);
            boolean found = at != null && position < at.getValue().end();
            assertThat(list.at(position)).isSameAs(found ? at.getValue() : null);
            long before = position + 1 + random.nextInt(30);
            Map.Entry<Long, ChunkRef> last = expected.lowerEntry(before);
            boolean any = last != null && last.getValue().end() > position;
            assertThat(list.hasAny(position, before)).isEqualTo(any);
        }

        assertThat(list.chunks()).containsExactlyElementsOf(expected.values());
    }

    @Test
    void chunksThatWereAddedInAnyOrderAreFoundOnceSorted() {
        ChunkRef second = new ChunkRef(10, 10, 0);
        ChunkRef first = new ChunkRef(0, 10, 0);
        list.add(second);
        list.add(first);
        list.sort();

        assertThat(list.chunks()).containsExactly(first, second);
        assertThat(list.at(12)).isSameAs(second);
    }
}
