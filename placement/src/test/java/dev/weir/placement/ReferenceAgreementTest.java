package dev.weir.placement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.placement.hash.SeaHash;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import dev.weir.placement.replication.NotEnoughCapacityException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The library gives bit for bit what {@link ReferencePlacement} gives. */
class ReferenceAgreementTest {

    private static final int CASES = 60;

    @ParameterizedTest
    @EnumSource(Order.class)
    void onePassAgreesOnRandomInput(Order order) throws Exception {
        assertThat(compare(order, false)).isGreaterThan(CASES / 3);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void twoPassesAgreeOnRandomInput(Order order) throws Exception {
        assertThat(compare(order, true)).isGreaterThan(CASES / 3);
    }

    @Test
    void theReferencesOwnHashAgreesToo() {
        Random random = new Random(6);
        for (int length = 0; length < 80; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(ReferencePlacement.seaHash(bytes))
                    .isEqualTo(new BigInteger(Long.toUnsignedString(SeaHash.hash(bytes))));
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void theyAgreeAtTheNetworksNumberOfWorkersAndRings(Order order) throws Exception {
        List<Worker> workers = Scenario.workers(2_000, 130);
        Chunks chunks = Scenario.mixedChunks(new Random(7), 30, 120, 1, 6, 24);
        PlacementConfig config =
                PlacementConfig.DEFAULT.with(order).withMinReplication(2).withSaturation(0.03);

        Assignment assignment = new Placement(config).place(workers, chunks);

        Map<String, SortedSet<String>> expected = new ReferencePlacement(config).place(workers, chunks);
        for (Worker worker : workers) {
            assertThat(Scenario.names(assignment, worker.id())).isEqualTo(expected.get(worker.id()));
        }
    }

    /** Compares many random inputs; gives how many were placed rather than refused, so that a test can't pass on refusals. */
    private static int compare(Order order, boolean unreliable) throws Exception {
        int placed = 0;
        long unplaced = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed * 31L + order.ordinal());
            List<Worker> workers = workers(random, unreliable);
            Chunks chunks = Scenario.mixedChunks(random, 1 + random.nextInt(250), 1000, 1, 2, 6, 24);
            PlacementConfig config = new PlacementConfig(
                    order,
                    Mode.COMPATIBLE,
                    1 + random.nextInt(80),
                    0.7 + 0.3 * random.nextDouble(),
                    1 + random.nextInt(3),
                    IdEncoding.UTF8);
            ReferencePlacement reference = new ReferencePlacement(config);
            Map<String, SortedSet<String>> expected;
            try {
                expected = reference.place(workers, chunks);
            } catch (ReferencePlacement.Refused refused) {
                expected = null;
            }
            Map<String, SortedSet<String>> actual = new HashMap<>();
            try {
                Assignment assignment = new Placement(config, 1 + random.nextInt(3)).place(workers, chunks);
                for (int worker = 0; worker < assignment.workers().size(); worker++) {
                    actual.put(assignment.workers().get(worker).id(), Scenario.names(assignment, worker));
                }
                assertThat(assignment.reliablePass().unplaced())
                        .as("seed %d", seed)
                        .isEqualTo(reference.unplaced());
                placed++;
                unplaced += reference.unplaced();
            } catch (NotEnoughCapacityException refused) {
                actual = null;
            }
            assertThat(actual).as("seed %d", seed).isEqualTo(expected);
        }
        assertThat(unplaced).as("some virtual chunks were left out").isPositive();
        return placed;
    }

    private static List<Worker> workers(Random random, boolean unreliable) {
        List<Worker> workers = new ArrayList<>();
        int count = 2 + random.nextInt(70);
        boolean varied = random.nextBoolean();
        long capacity = 2_000 + random.nextInt(30_000);
        for (int i = 0; i < count; i++) {
            WorkerStatus status = unreliable && random.nextInt(4) == 0
                    ? random.nextBoolean() ? WorkerStatus.UNRELIABLE : WorkerStatus.OFFLINE
                    : WorkerStatus.ONLINE;
            workers.add(Scenario.worker(i, varied ? random.nextInt(40_000) : capacity, status));
        }
        return workers;
    }
}
