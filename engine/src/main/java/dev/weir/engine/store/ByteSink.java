package dev.weir.engine.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes in memory that grow: what codecs write to. Not safe for use by several threads. */
public final class ByteSink {

    private static final int LONGEST_VARINT = 10;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes;
    private int size;

    public ByteSink(int capacity) {
        bytes = new byte[capacity];
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** Makes room for this many bytes after the written ones. */
    private byte[] roomFor(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length * 2));
        }
        return bytes;
    }

    public void writeByte(int value) {
        byte[] target = roomFor(1);
        target[size++] = (byte) value;
    }

    public void write(byte[] source) {
        write(source, 0, source.length);
    }

    public void write(byte[] source, int from, int length) {
        byte[] target = roomFor(length);
        System.arraycopy(source, from, target, size, length);
        size += length;
    }

    /** Appends the bytes of another sink. */
    public void write(ByteSink other) {
        write(other.bytes, 0, other.size);
    }

    public void writeBoolean(boolean value) {
        writeByte(value ? 1 : 0);
    }

    /** Eight bytes, the most significant first. */
    public void writeLong(long value) {
        LONGS.set(roomFor(Long.BYTES), size, value);
        size += Long.BYTES;
    }

    public void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    /** Seven bits to a byte, least significant first; a negative number takes ten bytes. */
    public void writeVarint(long value) {
        if ((value & ~0x7FL) == 0) {
            // Most numbers of a record are zero or small.
            writeByte((int) value);
            return;
        }
        byte[] target = roomFor(LONGEST_VARINT);
        int at = size;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            target[at++] = (byte) (rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        size = at;
    }

    /** A text as UTF-8, after its length in bytes plus one; null is a zero. */
    public void writeText(String text) {
        if (text == null) {
            writeByte(0);
            return;
        }
        // The JDK's own conversion copies Latin text at the speed of memory; a loop over characters takes several times
        // as long.
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        writeVarint(utf8.length + 1L);
        write(utf8);
    }
}
