package dev.weir.placement.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.placement.hash.SeaHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingsTest {

    private static final int WORKERS = 50;
    private static final int RINGS = 64;

    private static byte[][] ids(int count) {
        Random random = new Random(3);
        byte[][] ids = new byte[count][];
        for (int i = 0; i < count; i++) {
            ids[i] = new byte[30 + random.nextInt(12)];
            random.nextBytes(ids[i]);
        }
        return ids;
    }

    private static long hash(byte[] id, int ring) {
        byte[] whole = Arrays.copyOf(id, id.length + 3);
        whole[id.length] = ':';
        whole[id.length + 1] = (byte) ring;
        whole[id.length + 2] = (byte) (ring >>> 8);
        return SeaHash.hash(whole);
    }

    /** With 58 bits for the worker only six are left of the hash, so that most entries tie and are told apart in full. */
    @ParameterizedTest
    @ValueSource(ints = {6, 20, 58})
    void workersStandInTheOrderOfTheirWholeHashesHoweverFewBitsAreKept(int workerBits) {
        byte[][] ids = ids(WORKERS);
        Rings rings = new Rings(ids, RINGS, workerBits);

        for (int ring = 0; ring < RINGS; ring++) {
            int thisRing = ring;
            List<Integer> expected = new ArrayList<>();
            for (int worker = 0; worker < WORKERS; worker++) {
                expected.add(worker);
            }
            expected.sort(Comparator.comparing(worker -> hash(ids[worker], thisRing), Long::compareUnsigned));
            for (int i = 0; i < WORKERS; i++) {
                assertThat(rings.worker(ring * WORKERS + i)).isEqualTo(expected.get(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 20, 58})
    void aStartIsTheFirstPlaceAtOrAfterTheHashAndWrapsBehindTheLast(int workerBits) {
        byte[][] ids = ids(WORKERS);
        Rings rings = new Rings(ids, RINGS, workerBits);
        List<Long> hashes = new ArrayList<>();
        new Random(4).longs(20_000).forEach(hashes::add);
        for (int ring = 0; ring < RINGS; ring++) {
            // The places' own hashes and their neighbours: where an error by one would show.
            for (int worker = 0; worker < WORKERS; worker++) {
                long place = hash(ids[worker], ring);
                hashes.addAll(List.of(place - 1, place, place + 1));
            }
        }
        hashes.addAll(List.of(0L, -1L, Long.MAX_VALUE, Long.MIN_VALUE));

        for (long hash : hashes) {
            int ring = (int) Long.remainderUnsigned(hash, RINGS);
            int expected = ring * WORKERS;
            for (int i = WORKERS - 1; i >= 0; i--) {
                long place = hash(ids[rings.worker(ring * WORKERS + i)], ring);
                if (Long.compareUnsigned(place, hash) >= 0) {
                    expected = ring * WORKERS + i;
                }
            }
            assertThat(rings.start(hash)).as("hash %x", hash).isEqualTo(expected);
        }
    }

    @Test
    void theRingIsTheHashModuloKTakenAsUnsigned() {
        Random random = new Random(5);
        for (int i = 0; i < 100_000; i++) {
            long hash = random.nextLong();
            int rings = 1 + random.nextInt(65_536);
            assertThat(Rings.ringOf(hash, rings)).isEqualTo((int) Long.remainderUnsigned(hash, rings));
        }
        assertThat(Rings.ringOf(-1, 6_000)).isEqualTo((int) Long.remainderUnsigned(-1, 6_000));
    }

    @Test
    void aSingleWorkerStandsEverywhere() {
        Rings rings = Rings.build(ids(1), 10);

        assertThat(rings.worker(rings.start(Long.MIN_VALUE))).isZero();
        assertThat(rings.start(7)).isEqualTo(7);
    }

    @Test
    void equalIdsStandInTheOrderOfTheirIndices() {
        byte[] same = {1, 2, 3};
        Rings rings = Rings.build(new byte[][] {same, same, same}, 5);

        for (int ring = 0; ring < 5; ring++) {
            for (int i = 0; i < 3; i++) {
                assertThat(rings.worker(ring * 3 + i)).isEqualTo(i);
            }
        }
    }

    @Test
    void morePlacesThanAnArrayHoldsAreRefusedWithTheFigures() {
        assertThatThrownBy(() -> Rings.build(new byte[40_000][1], 60_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2400000000 places");
    }
}
