package dev.weir.job.lane;

import static dev.weir.engine.store.Evolving.AFTER;
import static dev.weir.engine.store.Evolving.BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.store.Evolving.New;
import dev.weir.engine.store.Evolving.Old;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.StoreContract;
import dev.weir.engine.store.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the store on Flink's keyed state must do on any state backend: the core's contract, and what checkpoints add to it. */
abstract class FlinkStoreContract extends StoreContract {

    private final List<StoreOnTheBench> opened = new ArrayList<>();

    /** A new one each time. */
    abstract StateBackend backend();

    private StoreOnTheBench open(OperatorSubtaskState state, Table<?>... tables) throws Exception {
        StoreOnTheBench bench = new StoreOnTheBench(backend(), state, List.of(tables));
        opened.add(bench);
        return bench;
    }

    @Override
    protected Store emptyStore() throws Exception {
        return open(null, NUMBERS, OTHERS).lane(0);
    }

    @AfterEach
    void close() throws Exception {
        for (StoreOnTheBench bench : opened) {
            bench.close();
        }
    }

    @Test
    void aRestoreGivesExactlyTheContentOfTheCheckpoint() throws Exception {
        StoreOnTheBench bench = open(null, NUMBERS, OTHERS);
        Random random = new Random(7);
        Map<String, Long> model = new HashMap<>();
        Map<String, Long> atCheckpoint = Map.of();
        OperatorSubtaskState checkpoint = null;
        for (int round = 0; round < 5; round++) {
            atCheckpoint = Map.copyOf(model);
            checkpoint = bench.checkpoint();
            for (int i = 0; i < 2000; i++) {
                String key = "k" + random.nextInt(200);
                if (random.nextInt(3) == 0) {
                    bench.lane(0).remove(NUMBERS, key);
                    model.remove(key);
                } else {
                    bench.lane(0).put(NUMBERS, key, new Box(i));
                    model.put(key, (long) i);
                }
                if (random.nextInt(100) == 0) {
                    bench.lane(0).spill();
                }
                String other = "k" + random.nextInt(200);
                assertThat(numberAt(bench.lane(0), other)).as(other).isEqualTo(model.get(other));
            }
            assertThat(content(bench.lane(0))).isEqualTo(model);
        }

        StoreOnTheBench restored = open(checkpoint, NUMBERS, OTHERS);
        assertThat(content(restored.lane(0))).isEqualTo(atCheckpoint);
        atCheckpoint.forEach((key, value) ->
                assertThat(numberAt(restored.lane(0), key)).as(key).isEqualTo(value));
    }

    @Test
    void valuesRemovedSinceAnEarlierCheckpointAreNotInTheNextOne() throws Exception {
        StoreOnTheBench bench = open(null, NUMBERS, OTHERS);
        bench.lane(0).put(NUMBERS, "a", new Box(1));
        bench.checkpoint();
        bench.lane(0).remove(NUMBERS, "a");

        StoreOnTheBench restored = open(bench.checkpoint(), NUMBERS, OTHERS);
        assertThat(restored.lane(0).get(NUMBERS, "a")).isNull();
    }

    @Test
    void eachLaneHasItsOwnTablesBeforeAndAfterARestore() throws Exception {
        StoreOnTheBench bench = open(null, NUMBERS, OTHERS);
        for (int lane = 0; lane < 5; lane++) {
            bench.lane(lane).put(NUMBERS, "a", new Box(lane));
        }
        bench.lane(3).remove(NUMBERS, "a");

        StoreOnTheBench restored = open(bench.checkpoint(), NUMBERS, OTHERS);
        for (int lane = 0; lane < 5; lane++) {
            Long expected = lane == 3 ? null : Long.valueOf(lane);
            assertThat(numberAt(bench.lane(lane), "a")).isEqualTo(expected);
            assertThat(numberAt(restored.lane(lane), "a")).isEqualTo(expected);
        }
    }

    @Test
    void aFieldThatWasAddedHasItsDefaultInValuesOfAnOlderSavepoint() throws Exception {
        StoreOnTheBench before = open(null, BEFORE);
        before.lane(0).put(BEFORE, "a", new Old("x"));
        before.lane(0).put(BEFORE, "b", new Old("y"));

        StoreOnTheBench after = open(before.checkpoint(), AFTER);
        assertThat(after.lane(0).get(AFTER, "a")).isEqualTo(new New("x", 42));
        after.lane(0).put(AFTER, "a", new New("x", 7));

        StoreOnTheBench later = open(after.checkpoint(), AFTER);
        assertThat(later.lane(0).get(AFTER, "a")).isEqualTo(new New("x", 7));
        assertThat(later.lane(0).get(AFTER, "b")).isEqualTo(new New("y", 42));
    }

    @Test
    void aTableThatWasAddedIsEmptyAfterTheRestoreOfAnOlderSavepoint() throws Exception {
        StoreOnTheBench before = open(null, NUMBERS);
        before.lane(0).put(NUMBERS, "a", new Box(1));

        StoreOnTheBench after = open(before.checkpoint(), NUMBERS, OTHERS);
        assertThat(numberAt(after.lane(0), "a")).isEqualTo(1);
        after.lane(0).forEach(OTHERS, (key, box) -> assertThat(key).isNull());
    }

    @Test
    void aTableThatWasNotDeclaredAtTheStartIsAProgrammingError() throws Exception {
        Store store = open(null, NUMBERS).lane(0);

        assertThatThrownBy(() -> store.put(OTHERS, "a", new Box(1))).isInstanceOf(RuntimeException.class);
    }

    private static Long numberAt(Store store, String key) {
        Box box = store.get(NUMBERS, key);
        return box == null ? null : Long.valueOf(box.value());
    }

    private static Map<String, Long> content(Store store) {
        Map<String, Long> content = new HashMap<>();
        store.forEach(
                NUMBERS, (key, box) -> assertThat(content.put(key, box.value())).isNull());
        return content;
    }
}
