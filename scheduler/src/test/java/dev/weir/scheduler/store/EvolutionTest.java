package dev.weir.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.scheduler.state.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class EvolutionTest {

    private record Old(String name) {}

    private record New(String name, long added) {}

    private static final Table<Old> BEFORE = new Table<>("evolving", new Codec<>() {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Old value, ByteSink out) {
            Wire.writeString(out, value.name);
        }

        @Override
        public Old read(int version, ByteSource in) throws IOException {
            return new Old(Wire.readString(in));
        }
    });

    private static final Table<New> AFTER = new Table<>("evolving", new Codec<>() {
        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(New value, ByteSink out) {
            Wire.writeString(out, value.name);
            Wire.writeLong(out, value.added);
        }

        @Override
        public New read(int version, ByteSource in) throws IOException {
            return new New(Wire.readString(in), version < 2 ? 42 : Wire.readLong(in));
        }
    });

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
                .isInstanceOf(UncheckedIOException.class)
                .hasStackTraceContaining("version 2")
                .hasStackTraceContaining("newer");
    }

    @Test
    void aDamagedValueIsAnErrorAndNotARunawayAllocation() {
        byte[] bytes = {1, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x7F};

        assertThatThrownBy(() -> BEFORE.decode(bytes)).isInstanceOf(UncheckedIOException.class);
    }
}
