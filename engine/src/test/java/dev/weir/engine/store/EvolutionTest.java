package dev.weir.engine.store;

import static dev.weir.engine.store.Evolving.AFTER;
import static dev.weir.engine.store.Evolving.BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.engine.store.Evolving.New;
import dev.weir.engine.store.Evolving.Old;
import org.junit.jupiter.api.Test;

class EvolutionTest {

    @Test
    void aFieldThatIsAddedHasItsDefaultInOldValues() {
        HeapStore store = new HeapStore();
        store.put(BEFORE, "a", new Old("x"));
        assertThat(store.get(AFTER, "a")).isEqualTo(new New("x", 42));
        store.put(AFTER, "a", new New("x", 7));

        assertThat(store.get(AFTER, "a")).isEqualTo(new New("x", 7));
    }

    @Test
    void aValueOfTheFutureIsRefusedWithAWordOnWhatToDo() {
        byte[] bytes = AFTER.encode(new New("x", 7));

        assertThatThrownBy(() -> BEFORE.decode(bytes))
                .isInstanceOf(NewerVersion.class)
                .hasStackTraceContaining("version 2")
                .hasStackTraceContaining("newer");
    }

    @Test
    void aDamagedValueIsAnErrorAndNotARunawayAllocation() {
        byte[] bytes = {1, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x7F};

        assertThatThrownBy(() -> BEFORE.decode(bytes)).isInstanceOf(DamagedValue.class);
    }
}
