package dev.weir.engine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyTableTest {

    /** A key of which many have the same hash. */
    private record Key(int number) {
        @Override
        public int hashCode() {
            return number % 7;
        }
    }

    private static final class One implements KeyTable.Entry<Key, One> {
        private final Key key;
        private One next;

        One(int number) {
            key = new Key(number);
        }

        @Override
        public Key key() {
            return key;
        }

        @Override
        public int hash() {
            return KeyTable.spread(key);
        }

        @Override
        public One next() {
            return next;
        }

        @Override
        public void nextIs(One other) {
            next = other;
        }
    }

    private final KeyTable<Key, One> table = new KeyTable<>();

    @Test
    void itHoldsWhatWasAddedAndNotTakenOutWhateverTheHashes() {
        Map<Key, One> expected = new HashMap<>();
        Random random = new Random(5);
        for (int step = 0; step < 5_000; step++) {
            Key key = new Key(random.nextInt(300));
            assertThat(table.get(key)).isSameAs(expected.get(key));
            if (!expected.containsKey(key)) {
                One one = new One(key.number());
                table.add(one);
                expected.put(key, one);
            } else if (random.nextBoolean()) {
                table.remove(expected.remove(key));
            }
            assertThat(table.size()).isEqualTo(expected.size());
        }

        assertThat(table.entries()).containsExactlyInAnyOrderElementsOf(expected.values());
        One some = expected.values().iterator().next();
        assertThat(table.first(one -> one == some)).isSameAs(some);
        assertThat(table.first(one -> false)).isNull();
    }

    @Test
    void takingOutWhatIsNotHereLeavesAnotherOfTheSameKey() {
        One here = new One(1);
        table.add(here);

        table.remove(new One(1));
        table.remove(new One(8));

        assertThat(table.get(new Key(1))).isSameAs(here);
        assertThat(table.size()).isEqualTo(1);
    }
}
