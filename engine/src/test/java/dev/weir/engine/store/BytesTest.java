package dev.weir.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is written comes back; what is damaged or cut off is an error that says so, and never a wrong value or a huge array. */
class BytesTest {

    private static ByteSource source(int... bytes) {
        byte[] all = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            all[i] = (byte) bytes[i];
        }
        return new ByteSource(all, 0);
    }

    private static void assertDamaged(ThrowingCallable reading) {
        assertThatThrownBy(reading).isInstanceOf(IOException.class).hasMessageContaining("damaged");
    }

    @Test
    void whatIsWrittenIsReadInTheSameOrder() throws IOException {
        ByteSink sink = new ByteSink(1);
        long[] numbers = {0, 1, 127, 128, 16_383, 16_384, Long.MAX_VALUE, -1, Long.MIN_VALUE};
        for (long number : numbers) {
            sink.writeVarint(number);
            sink.writeLong(number);
        }
        sink.writeBoolean(true);
        sink.writeBoolean(false);
        sink.writeDouble(-0.1);
        sink.writeByte(200);
        sink.writeText(null);
        sink.writeText("");
        sink.writeText("Čerenkov ☢");
        sink.write(new byte[] {7, 8, 9}, 1, 2);
        ByteSource in = new ByteSource(sink.toByteArray(), 0);
        for (long number : numbers) {
            assertThat(in.readVarint()).isEqualTo(number);
            assertThat(in.readLong()).isEqualTo(number);
        }
        assertThat(in.readBoolean()).isTrue();
        assertThat(in.readBoolean()).isFalse();
        assertThat(in.readDouble()).isEqualTo(-0.1);
        assertThat(in.readUnsignedByte()).isEqualTo(200);
        assertThat(in.readText()).isNull();
        assertThat(in.readText()).isEmpty();
        assertThat(in.readText()).isEqualTo("Čerenkov ☢");
        assertThat(in.position()).isEqualTo(sink.size() - 2);
        assertThat(in.readRest()).containsExactly(8, 9);
        assertThat(in.readRest()).isEmpty();
    }

    @Test
    void smallNumbersAndShortTextsTakeFewBytes() {
        ByteSink sink = new ByteSink(1);
        sink.writeVarint(127);
        assertThat(sink.size()).isEqualTo(1);
        sink.writeVarint(128);
        assertThat(sink.size()).isEqualTo(3);
        sink.writeText("abc");
        assertThat(sink.size()).isEqualTo(7);
        sink.clear();
        sink.writeText("abc");
        assertThat(sink.toByteArray()).containsExactly(4, 'a', 'b', 'c');
        sink.clear();

        assertThat(sink.toByteArray()).isEmpty();
    }

    @Test
    void whatIsPassedOverIsNotReadAndWhatFollowsIs() throws IOException {
        ByteSink sink = new ByteSink(4);
        sink.writeText("passed over");
        sink.writeText(null);
        sink.writeByte(1);
        sink.writeByte(2);
        ByteSource in = new ByteSource(sink.toByteArray(), 0);
        in.skipText();
        in.skipText();
        in.skip(1);

        assertThat(in.<Byte>rest((bytes, from) -> bytes[from])).isEqualTo((byte) 2);
        assertThatThrownBy(in::readByte).isInstanceOf(EOFException.class);
    }

    @Test
    void aValueThatIsCutOffAnywhereIsAnError() {
        ByteSink sink = new ByteSink(4);
        sink.writeLong(5);
        sink.writeText("text");
        sink.writeVarint(300);
        byte[] whole = sink.toByteArray();
        for (int length = 0; length < whole.length; length++) {
            ByteSource in = new ByteSource(Arrays.copyOf(whole, length), 0);
            assertThatThrownBy(() -> {
                        in.readLong();
                        in.readText();
                        in.readVarint();
                    })
                    .as("%d bytes of %d", length, whole.length)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aDamagedLengthIsAnErrorBeforeAnythingIsReserved() {
        int[] huge = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
        int[] endless = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
        int[] negative = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01};

        assertDamaged(() -> source(huge).readText());
        assertDamaged(() -> source(huge).skipText());
        assertDamaged(() -> source(huge).readCount());
        assertDamaged(() -> source(endless).readVarint());
        assertDamaged(() -> source(negative).readCount());
        assertDamaged(() -> source(1).readBytes(-1));
        assertDamaged(() -> source(1).readBytes(1L << 28 | 1));
        assertThatThrownBy(() -> source(1).readBytes(1 << 28)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> source(1).skip(-1)).isInstanceOf(EOFException.class);
    }

    @Test
    void noMoreEntriesAreBelievedThanThereAreBytes() throws IOException {
        assertThat(source(2, 0, 0).readCount()).isEqualTo(2);
        assertThat(source(0).readCount()).isZero();
        assertDamaged(() -> source(3, 0, 0).readCount());
        assertThat(source(1, 2, 3).readBytes(3)).containsExactly(1, 2, 3);
    }
}
