package dev.weir.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What every {@link Store} must do. Extend it and give an empty store that knows {@link #NUMBERS} and {@link #OTHERS}. */
public abstract class StoreContract {

    /** A mutable value, to see whether a store keeps references. */
    public static final class Box {
        long value;

        public Box(long value) {
            this.value = value;
        }

        public long value() {
            return value;
        }
    }

    /** The form of a {@link Box}. */
    public static final class BoxCodec implements Codec<Box> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Box box, ByteSink out) {
            out.writeLong(box.value);
        }

        @Override
        public Box read(int version, ByteSource in) throws IOException {
            return new Box(in.readLong());
        }
    }

    public static final Table<Box> NUMBERS = new Table<>("contract-numbers", new BoxCodec());
    public static final Table<Box> OTHERS = new Table<>("contract-others", new BoxCodec());

    /** A store without entries. */
    protected abstract Store emptyStore() throws Exception;

    @Test
    void whatWasPutIsGotAndTheLastPutWins() throws Exception {
        Store store = emptyStore();
        store.put(NUMBERS, "a", new Box(1));
        store.put(NUMBERS, "a", new Box(2));

        assertThat(store.get(NUMBERS, "a").value).isEqualTo(2);
        assertThat(store.get(NUMBERS, "b")).isNull();
    }

    @Test
    void whatWasRemovedIsGoneAndRemovingNothingIsNoError() throws Exception {
        Store store = emptyStore();
        store.put(NUMBERS, "a", new Box(1));
        store.remove(NUMBERS, "a");
        store.remove(NUMBERS, "never");

        assertThat(store.get(NUMBERS, "a")).isNull();
    }

    @Test
    void tablesAreApart() throws Exception {
        Store store = emptyStore();
        store.put(NUMBERS, "a", new Box(1));
        store.put(OTHERS, "a", new Box(2));
        store.remove(OTHERS, "a");

        assertThat(store.get(NUMBERS, "a").value).isEqualTo(1);
    }

    @Test
    void aValueIsCopiedOnTheWayInAndOnTheWayOut() throws Exception {
        Store store = emptyStore();
        Box box = new Box(1);
        store.put(NUMBERS, "a", box);
        box.value = 2;
        store.get(NUMBERS, "a").value = 3;

        assertThat(store.get(NUMBERS, "a").value).isEqualTo(1);
    }

    @Test
    void keysMayHoldAnyText() throws Exception {
        Store store = emptyStore();
        String key = "t:1/длинный/" + "x".repeat(300);
        store.put(NUMBERS, key, new Box(7));

        assertThat(store.get(NUMBERS, key).value).isEqualTo(7);
    }

    @Test
    void aScanGivesExactlyWhatIsThereAfterManyChanges() throws Exception {
        Store store = emptyStore();
        Map<String, Long> model = new HashMap<>();
        Random random = new Random(11);
        for (int i = 0; i < 5000; i++) {
            String key = "k" + random.nextInt(300);
            if (random.nextInt(3) == 0) {
                store.remove(NUMBERS, key);
                model.remove(key);
            } else {
                store.put(NUMBERS, key, new Box(i));
                model.put(key, (long) i);
            }
        }
        Map<String, Long> seen = new HashMap<>();
        store.forEach(
                NUMBERS, (key, box) -> assertThat(seen.put(key, box.value)).isNull());

        assertThat(seen).isEqualTo(model);
    }
}
