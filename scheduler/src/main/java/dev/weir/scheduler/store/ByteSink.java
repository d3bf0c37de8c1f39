package dev.weir.scheduler.store;

import java.io.DataOutput;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes in memory that grow: {@link java.io.DataOutputStream} without its locks, which cost more than the writing. Not safe for
 * use by several threads.
 */
public final class ByteSink implements DataOutput {

    private static final int LONGEST_VARINT = 10;

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

    /** Forgets what was written after it had this size. */
    public void truncate(int newSize) {
        size = Math.min(size, newSize);
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private int grow(int more) {
        int at = size;
        size = Math.addExact(at, more);
        if (size > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size, bytes.length * 2));
        }
        return at;
    }

    @Override
    public void write(int b) {
        int at = grow(1);
        bytes[at] = (byte) b;
    }

    @Override
    public void write(byte[] source) {
        write(source, 0, source.length);
    }

    @Override
    public void write(byte[] source, int from, int length) {
        int at = grow(length);
        System.arraycopy(source, from, bytes, at, length);
    }

    @Override
    public void writeBoolean(boolean value) {
        write(value ? 1 : 0);
    }

    @Override
    public void writeByte(int value) {
        write(value);
    }

    @Override
    public void writeShort(int value) {
        write(value >>> 8);
        write(value);
    }

    @Override
    public void writeChar(int value) {
        writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        writeShort(value >>> 16);
        writeShort(value);
    }

    @Override
    public void writeLong(long value) {
        writeInt((int) (value >>> 32));
        writeInt((int) value);
    }

    @Override
    public void writeFloat(float value) {
        writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public void writeBytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            write(text.charAt(i));
        }
    }

    @Override
    public void writeChars(String text) {
        for (int i = 0; i < text.length(); i++) {
            writeChar(text.charAt(i));
        }
    }

    /** Two bytes of length, then UTF-8; at most 65,535 bytes. */
    @Override
    public void writeUTF(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 0xFFFF) {
            throw new IllegalArgumentException("a text of " + utf8.length + " bytes is too long for writeUTF");
        }
        writeShort(utf8.length);
        write(utf8);
    }

    /** Seven bits to a byte, least significant first. */
    public void writeVarint(long value) {
        if ((value & ~0x7FL) == 0) {
            write((int) value);
            return;
        }
        int at = grow(LONGEST_VARINT);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        size = at;
    }

    /** Writes text of ASCII characters alone without a copy in between; returns false, and writes nothing, for any other. */
    public boolean writeAscii(String text) {
        int length = text.length();
        int at = grow(length);
        byte[] target = bytes;
        int seen = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            seen |= c;
            target[at + i] = (byte) c;
        }
        if (seen >= 0x80) {
            size = at;
            return false;
        }
        return true;
    }
}
