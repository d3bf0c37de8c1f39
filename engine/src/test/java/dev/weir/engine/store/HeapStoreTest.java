package dev.weir.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapStoreTest extends StoreContract {

    @Override
    protected Store emptyStore() {
        return new HeapStore();
    }

    @Test
    void aSnapshotDoesNotFollowLaterChanges() {
        HeapStore store = new HeapStore();
        store.put(NUMBERS, "a", new Box(1));
        HeapStore snapshot = store.snapshot();
        store.put(NUMBERS, "a", new Box(2));
        store.put(NUMBERS, "b", new Box(3));

        assertThat(snapshot.get(NUMBERS, "a").value).isEqualTo(1);
        assertThat(snapshot.size()).isEqualTo(1);
    }
}
