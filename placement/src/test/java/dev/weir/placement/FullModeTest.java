package dev.weir.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import dev.weir.placement.replication.FullReplication;
import dev.weir.placement.replication.NotEnoughCapacityException;
import dev.weir.placement.replication.Replication;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FullModeTest {

    private static final PlacementConfig FULL =
            PlacementConfig.DEFAULT.with(Mode.FULL).withMinReplication(2).withRings(500);

    private static double fill(Assignment assignment) {
        double capacity =
                assignment.workers().stream().mapToDouble(Worker::capacityBytes).sum();
        double bytes = 0;
        for (int worker = 0; worker < assignment.workers().size(); worker++) {
            bytes += assignment.bytes(worker);
        }
        return bytes / capacity;
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void withThreeWeightsTheBudgetIsSpentWhereTheCompatibleModeLeavesSome(Order order) throws Exception {
        Chunks chunks = Scenario.mixedChunks(new Random(10), 6_000, 1_000, 1, 6, 24);
        List<Worker> workers = Scenario.workers(60, 6_000L * 500 * 11 / 2 / 60);

        Assignment full = new Placement(FULL.with(order)).place(workers, chunks);
        Assignment compatible = new Placement(FULL.with(order).with(Mode.COMPATIBLE)).place(workers, chunks);

        assertThat(fill(full)).isBetween(0.985, 0.99);
        assertThat(fill(compatible)).isLessThan(0.97);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void everyChunkHasItsMinimumEvenWhenHardlyMoreFits(Order order) throws Exception {
        Chunks chunks = Scenario.mixedChunks(new Random(11), 5_000, 1_000, 1, 6, 24);
        long bytes = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            bytes += chunks.sizeBytes(chunk);
        }
        List<Worker> workers = Scenario.workers(40, bytes * 21 / 10 / 40);

        Assignment assignment = new Placement(FULL.with(order)).place(workers, chunks);

        assertThat(Arrays.stream(assignment.reliableReplicas())).allMatch(replicas -> replicas >= 2);
    }

    @Test
    void theReplicasFollowTheWeightsOnAverage() throws Exception {
        Chunks chunks = Scenario.mixedChunks(new Random(12), 20_000, 100, 4, 8, 16);
        List<Worker> workers = Scenario.workers(200, 20_000L * 50 * 20 / 200);

        Replication replication = FullReplication.of(chunks, workers, FULL);

        double[] sum = new double[17];
        double[] count = new double[17];
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            sum[chunks.weight(chunk)] += replication.of(chunk);
            count[chunks.weight(chunk)]++;
        }
        for (int weight : new int[] {4, 8, 16}) {
            assertThat(sum[weight] / count[weight])
                    .isCloseTo(replication.factors().get(weight), offset(0.03));
        }
        assertThat(replication.factors().get(16) / replication.factors().get(4)).isCloseTo(4, offset(1e-9));
    }

    @Test
    void theBudgetIsNeverExceededAndNotOneMoreChunkWouldFit() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int largest = 1 + random.nextInt(1_000);
            Chunks chunks = Scenario.mixedChunks(random, 1 + random.nextInt(800), largest, 1, 6, 24, 1_000);
            long size = 0;
            for (int chunk = 0; chunk < chunks.count(); chunk++) {
                size += chunks.sizeBytes(chunk);
            }
            int count = 2 + random.nextInt(100);
            long capacity = (long) (size * (2.1 + random.nextDouble() * count) / count) + 1;
            List<Worker> workers = Scenario.workers(count, capacity);

            Replication replication = FullReplication.of(chunks, workers, FULL);

            long budget = (long) (capacity * count * 0.99);
            long spent = 0;
            boolean everywhere = true;
            for (int chunk = 0; chunk < chunks.count(); chunk++) {
                assertThat(replication.of(chunk)).isBetween(2, count);
                spent += chunks.sizeBytes(chunk) * replication.of(chunk);
                everywhere &= replication.of(chunk) == count;
            }
            assertThat(spent).as("seed %d", seed).isLessThanOrEqualTo(budget);
            if (!everywhere) {
                assertThat(budget - spent).as("seed %d", seed).isLessThan(largest);
            }
        }
    }

    @Test
    void oneWorkerLessTakesAtMostOneReplicaFromAFewChunksAndGivesNoneToAny() throws Exception {
        Chunks chunks = Scenario.mixedChunks(new Random(13), 20_000, 100, 1, 6, 24);
        List<Worker> workers = Scenario.workers(100, 20_000L * 50 * 8 / 100);

        Replication all = FullReplication.of(chunks, workers, FULL);
        Replication less = FullReplication.of(chunks, workers.subList(1, 100), FULL);

        long lost = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            assertThat(all.of(chunk) - less.of(chunk)).isBetween(0, 1);
            lost += all.of(chunk) - less.of(chunk);
        }
        double share = (double) lost / all.virtualChunks();
        assertThat(share).isBetween(0.005, 0.02);
    }

    @Test
    void aCapacityForEverythingPutsEveryChunkOnEveryWorker() throws Exception {
        Chunks chunks = Scenario.equalChunks(100, 10, 3);
        List<Worker> workers = Scenario.workers(7, 100_000);

        Assignment assignment = new Placement(FULL).place(workers, chunks);

        assertThat(assignment.reliableReplicas()).containsOnly(7);
        assertThat(assignment.reliablePass().unplaced()).isZero();
    }

    @Test
    void aBudgetBelowTheMinimumIsRefused() {
        Chunks chunks = Scenario.equalChunks(100, 10, 1);

        assertThatThrownBy(() -> new Placement(FULL).place(Scenario.workers(7, 250), chunks))
                .isInstanceOf(NotEnoughCapacityException.class)
                .hasMessageContaining("need 2000 bytes");
    }

    @Test
    void reliableListsDoNotDependOnUnreliableWorkers() throws Exception {
        Chunks chunks = Scenario.mixedChunks(new Random(14), 3_000, 1_000, 1, 6);
        List<Worker> reliable = Scenario.workers(30, 300_000);
        List<Worker> all = new ArrayList<>(reliable);
        for (int i = 30; i < 40; i++) {
            all.add(i % 7, Scenario.worker(i, 300_000, WorkerStatus.OFFLINE));
        }

        Assignment alone = new Placement(FULL).place(reliable, chunks);
        Assignment together = new Placement(FULL).place(all, chunks);

        for (Worker worker : reliable) {
            assertThat(Scenario.names(together, worker.id())).isEqualTo(Scenario.names(alone, worker.id()));
        }
    }
}
