package dev.weir.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.placement.diff.AssignmentDiff;
import dev.weir.placement.diff.Change;
import dev.weir.placement.diff.PreviousLists;
import dev.weir.placement.input.Chunks;
import dev.weir.placement.input.ChunksBuilder;
import dev.weir.placement.input.IdEncoding;
import dev.weir.placement.input.Mode;
import dev.weir.placement.input.Order;
import dev.weir.placement.input.PlacementConfig;
import dev.weir.placement.input.Worker;
import dev.weir.placement.input.WorkerStatus;
import dev.weir.placement.replication.NotEnoughCapacityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PlacementPropertiesTest {

    private static final long SIZE = 100;

    private static PlacementConfig config(Order order) {
        return PlacementConfig.DEFAULT.with(order).withMinReplication(2).withRings(600);
    }

    private static Assignment place(PlacementConfig config, List<Worker> workers, Chunks chunks) throws Exception {
        return new Placement(config).place(workers, chunks);
    }

    private static Change moved(Assignment before, Assignment after) {
        return AssignmentDiff.between(PreviousLists.of(before, after.chunks()), after)
                .total();
    }

    @ParameterizedTest
    @CsvSource({"CHUNK, COMPATIBLE", "CHUNK, FULL", "TAG, COMPATIBLE", "TAG, FULL"})
    void noWorkerIsOverItsCapacityAndNoneHoldsAChunkTwice(Order order, Mode mode) throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Chunks chunks = Scenario.mixedChunks(random, 2_000, 1_000, 1, 3, 9);
            List<Worker> workers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                WorkerStatus status = random.nextInt(5) == 0 ? WorkerStatus.UNRELIABLE : WorkerStatus.ONLINE;
                workers.add(Scenario.worker(i, 80_000 + random.nextInt(400_000), status));
            }

            Assignment assignment = place(config(order).with(mode), workers, chunks);

            for (int worker = 0; worker < workers.size(); worker++) {
                assertThat(assignment.bytes(worker))
                        .isLessThanOrEqualTo(assignment.workers().get(worker).capacityBytes());
                assertThat(assignment.chunksOf(worker)).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void theSameInputGivesTheSameAssignmentWhateverTheThreadsAndTheOrderOfTheInput(Order order) throws Exception {
        List<Worker> workers = Scenario.workers(50, 60_000);
        Chunks chunks = Scenario.equalChunks(5_000, SIZE, 1);
        ChunksBuilder backwards = new ChunksBuilder();
        for (int chunk = chunks.count() - 1; chunk >= 0; chunk--) {
            String[] name = chunks.name(chunk).split("/");
            backwards.add(name[0], name[1], SIZE, 1);
        }

        Assignment one = new Placement(config(order), 1).place(workers, chunks);
        Assignment other = new Placement(config(order), 5).place(workers, backwards.build());

        for (Worker worker : workers) {
            assertThat(Scenario.names(other, worker.id())).isEqualTo(Scenario.names(one, worker.id()));
        }
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void reliableListsAreUnchangedByAddingUnreliableWorkers(Order order) throws Exception {
        Chunks chunks = Scenario.mixedChunks(new Random(21), 4_000, 1_000, 1, 4);
        List<Worker> reliable = Scenario.workers(40, 300_000);
        List<Worker> all = new ArrayList<>(reliable);
        for (int i = 40; i < 55; i++) {
            all.add(i % 11, Scenario.worker(i, 500_000, i % 2 == 0 ? WorkerStatus.UNRELIABLE : WorkerStatus.OFFLINE));
        }

        Assignment alone = place(config(order), reliable, chunks);
        Assignment together = place(config(order), all, chunks);

        for (Worker worker : reliable) {
            assertThat(Scenario.names(together, worker.id())).isEqualTo(Scenario.names(alone, worker.id()));
        }
        assertThat(Scenario.names(together, all.get(7).id())).isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void aWorkerThatBecomesReliableKeepsMostOfItsList(Order order, TestReporter report) throws Exception {
        Chunks chunks = Scenario.equalChunks(20_000, SIZE, 1);
        long capacity = 20_000 * SIZE * 55 / 10 / 100;
        List<Worker> before = new ArrayList<>(Scenario.workers(100, capacity));
        Worker promoted = Scenario.worker(3, capacity, WorkerStatus.UNRELIABLE);
        before.set(3, promoted);
        for (int i = 0; i < 4; i++) {
            before.set(20 + i, Scenario.worker(20 + i, capacity, WorkerStatus.UNRELIABLE));
        }
        List<Worker> after = new ArrayList<>(before);
        after.set(3, Scenario.worker(3, capacity, WorkerStatus.ONLINE));

        Assignment then = place(config(order), before, chunks);
        Assignment now = place(config(order), after, chunks);

        assertThat(now.reliablePass().replication().factors())
                .isEqualTo(then.reliablePass().replication().factors());
        SortedSet<String> had = Scenario.names(then, promoted.id());
        Set<String> kept = new HashSet<>(had);
        kept.retainAll(Scenario.names(now, promoted.id()));
        double share = (double) kept.size() / had.size();
        report.publishEntry("kept by a worker that became reliable, " + order, Double.toString(share));
        assertThat(share).isGreaterThan(0.85);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void oneOfNWorkersLeavingMovesAboutOneNthOfTheData(Order order, TestReporter report) throws Exception {
        int n = 100;
        Chunks chunks = Scenario.equalChunks(20_000, SIZE, 1);
        List<Worker> workers = Scenario.workers(n, 20_000 * SIZE * 55 / 10 / n);
        List<Worker> less = new ArrayList<>(workers);
        less.remove(42);

        Assignment before = place(config(order), workers, chunks);
        Assignment after = place(config(order), less, chunks);

        assertThat(after.reliablePass().replication().factors())
                .isEqualTo(before.reliablePass().replication().factors());
        double share = (double) moved(before, after).movedChunks()
                / before.reliablePass().replication().virtualChunks();
        report.publishEntry("moved by one of " + n + " workers leaving, " + order, Double.toString(share));
        assertThat(share * n).isBetween(0.8, 1.5);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void atAReplicationStepTheCompatibleModeDropsAReplicaOfEveryChunk(Order order, TestReporter report)
            throws Exception {
        int n = 100;
        Chunks chunks = Scenario.equalChunks(20_000, SIZE, 1);
        // Five replicas just fit: with one worker less it is four.
        long capacity = (long) Math.ceil(20_000 * SIZE * 5 / 0.99 / n) + 1;
        List<Worker> workers = Scenario.workers(n, capacity);

        for (Mode mode : Mode.values()) {
            Assignment before = place(config(order).with(mode), workers, chunks);
            Assignment after = place(config(order).with(mode), workers.subList(1, n), chunks);
            double dropped = (double) moved(before, after).droppedChunks()
                    / before.reliablePass().replication().virtualChunks();
            report.publishEntry("dropped at a step, " + order + " " + mode, Double.toString(dropped));
            if (mode == Mode.COMPATIBLE) {
                assertThat(dropped).isGreaterThan(0.19);
            } else {
                assertThat(dropped).isLessThan(0.05);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"CHUNK, true", "TAG, true", "CHUNK, false", "TAG, false"})
    void addedOrRemovedChunksMoveNothingWhileNoWorkerFillsUp(Order order, boolean added) throws Exception {
        // Two replicas wanted, room for almost three: nobody is full.
        List<Worker> workers = Scenario.workers(50, 10_000 * SIZE * 29 / 10 / 50);
        Chunks fewer = Scenario.equalChunks(10_000, SIZE, 1);
        Chunks more = Scenario.equalChunks(10_100, SIZE, 1);

        Assignment before = place(config(order), workers, added ? fewer : more);
        Assignment after = place(config(order), workers, added ? more : fewer);

        Change change = moved(before, after);
        assertThat(change.movedChunks()).isZero();
        assertThat(change.droppedChunks()).isZero();
        assertThat(change.newChunks()).isEqualTo(added ? 200 : 0);
        assertThat(change.goneChunks()).isEqualTo(added ? 0 : 200);
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void withEqualSizesAndFiveHundredChunksAWorkerTheEmptiestHasAtLeastEightyEightPercentOfTheMean(Order order)
            throws Exception {
        for (double room : new double[] {1.0, 1.2}) {
            Chunks chunks = Scenario.equalChunks(20_000, SIZE, 1);
            long capacity = (long) Math.ceil(20_000 * SIZE * 5 / 0.99 * room / 200) + 1;
            Assignment assignment = place(PlacementConfig.DEFAULT.with(order), Scenario.workers(200, capacity), chunks);

            long total = 0;
            int least = Integer.MAX_VALUE;
            for (int worker = 0; worker < 200; worker++) {
                total += assignment.count(worker);
                least = Math.min(least, assignment.count(worker));
            }
            double mean = total / 200.0;
            assertThat(mean).isGreaterThanOrEqualTo(500);
            assertThat(least / mean).as("room %s", room).isGreaterThanOrEqualTo(0.88);
        }
    }

    @Test
    void aChunkBelowItsMinimumIsAnErrorThatNamesItAndTheShortfall() {
        // Each worker has room for one of the two large chunks, so that one of the four replicas finds none.
        ChunksBuilder chunks = new ChunksBuilder().add("d", "a", 60, 1).add("d", "b", 60, 1);
        List<Worker> workers = List.of(
                Scenario.worker(1, 100, WorkerStatus.ONLINE),
                Scenario.worker(2, 100, WorkerStatus.ONLINE),
                Scenario.worker(3, 100, WorkerStatus.ONLINE));

        assertThatThrownBy(() -> new Placement(config(Order.CHUNK)).place(workers, chunks.build()))
                .isInstanceOf(NotEnoughCapacityException.class)
                .hasMessageContaining("chunk 'd/b' (60 bytes) has 1 of at least 2 replicas, 1 short")
                .hasMessageContaining("40 bytes");
    }

    @ParameterizedTest
    @EnumSource(Order.class)
    void whatFindsNoRoomAboveTheMinimumIsLeftOutAndCounted(Order order) throws Exception {
        // 300 bytes of budget allow two replicas, but a worker of 50 bytes takes none of them.
        Chunks chunks =
                new ChunksBuilder().add("d", "a", 60, 1).add("d", "b", 60, 1).build();
        List<Worker> workers = List.of(
                Scenario.worker(1, 130, WorkerStatus.ONLINE),
                Scenario.worker(2, 59, WorkerStatus.ONLINE),
                Scenario.worker(3, 59, WorkerStatus.ONLINE));

        Assignment assignment = place(config(order).withMinReplication(1), workers, chunks);

        assertThat(assignment.reliablePass().replication().virtualChunks()).isEqualTo(4);
        assertThat(assignment.reliablePass().unplaced()).isEqualTo(2);
        assertThat(assignment.reliableReplicas()).containsExactly(1, 1);
    }

    @ParameterizedTest
    @CsvSource({"CHUNK, COMPATIBLE", "CHUNK, FULL", "TAG, COMPATIBLE", "TAG, FULL"})
    void manyReplicasOfFewChunksGoToDifferentWorkers(Order order, Mode mode) throws Exception {
        List<Worker> workers = Scenario.workers(300, 1_000);
        Chunks chunks = Scenario.equalChunks(12, SIZE, 1);

        Assignment assignment = place(config(order).with(mode), workers, chunks);

        Map<Integer, Set<Integer>> holders = new HashMap<>();
        for (int worker = 0; worker < 300; worker++) {
            for (int chunk : assignment.chunksOf(worker)) {
                holders.computeIfAbsent(chunk, first -> new HashSet<>()).add(worker);
            }
        }
        int[] replicas = assignment.reliableReplicas();
        assertThat(Arrays.stream(replicas)).allMatch(count -> count > 150);
        holders.forEach((chunk, set) -> assertThat(set).hasSize(replicas[chunk]));
    }

    @Test
    void noChunksMakeAnEmptyAssignment() throws Exception {
        Assignment assignment = place(config(Order.CHUNK), Scenario.workers(3, 100), new ChunksBuilder().build());

        assertThat(assignment.count(0)).isZero();
        assertThat(assignment.reliablePass().replication().virtualChunks()).isZero();
    }

    @Test
    void withoutAReliableWorkerTheMinimumCannotBeKept() {
        List<Worker> workers = List.of(Scenario.worker(1, 1_000, WorkerStatus.OFFLINE));

        assertThatThrownBy(() -> place(config(Order.CHUNK), workers, Scenario.equalChunks(1, SIZE, 1)))
                .isInstanceOf(NotEnoughCapacityException.class)
                .hasMessageContaining("there are 0");
    }

    @Test
    void twoWorkersWithOneIdAreRefused() {
        Worker worker = Scenario.worker(1, 1_000, WorkerStatus.ONLINE);

        assertThatThrownBy(() -> place(config(Order.CHUNK), List.of(worker, worker), new ChunksBuilder().build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + worker.id() + "' is there twice");
    }

    @Test
    void twoIdsThatStandForTheSameBytesAreRefused() {
        PlacementConfig hex = new PlacementConfig(Order.CHUNK, Mode.COMPATIBLE, 10, 0.99, 1, IdEncoding.HEX);
        List<Worker> workers =
                List.of(new Worker("ab", 1_000, WorkerStatus.ONLINE), new Worker("AB", 1_000, WorkerStatus.UNRELIABLE));

        assertThatThrownBy(() -> place(hex, workers, new ChunksBuilder().build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'AB' is there twice");
    }

    @Test
    void noOtherWorkerKeepsTheReliableOnesFromTheirChunksAndWhereAllTogetherFailTheOthersGetNothing() throws Exception {
        // The third worker adds budget for a replica of each chunk, but has no room for one: chunk a takes what b
        // needs.
        ChunksBuilder chunks = new ChunksBuilder().add("d", "a", 60, 1).add("d", "b", 60, 1);
        List<Worker> workers = new ArrayList<>(
                List.of(Scenario.worker(1, 100, WorkerStatus.ONLINE), Scenario.worker(2, 100, WorkerStatus.ONLINE)));
        for (int i = 3; i < 6; i++) {
            workers.add(Scenario.worker(i, 59, WorkerStatus.UNRELIABLE));
        }

        Assignment assignment = place(config(Order.CHUNK).withMinReplication(1), workers, chunks.build());

        Assignment alone = place(config(Order.CHUNK).withMinReplication(1), workers.subList(0, 2), chunks.build());
        for (int worker = 0; worker < 5; worker++) {
            assertThat(assignment.chunksOf(worker)).isEqualTo(worker < 2 ? alone.chunksOf(worker) : new int[0]);
        }
        assertThat(assignment.fullPass()).isEmpty();
        assertThat(assignment.fullPassFailure().orElseThrow()).contains("not enough", "'d/b'");
    }

    @Test
    void otherWorkersThatAreMoreThanItCanComputeWithGetNothingEither() throws Exception {
        Chunks chunks = Scenario.equalChunks(40_000, SIZE, 1);
        Worker reliable = Scenario.worker(0, 2 * 40_000 * SIZE, WorkerStatus.ONLINE);
        Worker huge = Scenario.worker(1, 1L << 60, WorkerStatus.OFFLINE);
        List<Worker> many = new ArrayList<>(List.of(reliable));
        for (int i = 1; i < 60_000; i++) {
            many.add(Scenario.worker(i, 40_000 * SIZE, WorkerStatus.OFFLINE));
        }
        PlacementConfig config = config(Order.CHUNK).withMinReplication(1);

        assertLeftEmpty(
                config,
                List.of(reliable, huge, Scenario.worker(2, 1L << 60, WorkerStatus.OFFLINE)),
                chunks,
                "exceed 2^61 bytes");
        assertLeftEmpty(config.withRings(40_000), many, chunks, "use fewer rings");
        assertLeftEmpty(config.withRings(1), many, chunks, "virtual chunks; at most");
    }

    /** The first worker is reliable and holds everything. */
    private static void assertLeftEmpty(PlacementConfig config, List<Worker> workers, Chunks chunks, String why)
            throws Exception {
        Assignment assignment = place(config, workers, chunks);

        assertThat(assignment.fullPassFailure().orElseThrow()).contains(why);
        assertThat(assignment.count(0)).isEqualTo(chunks.count());
        assertThat(assignment.count(1)).isZero();
    }
}
