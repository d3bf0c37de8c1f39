package dev.weir.engine.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads bytes in memory: what codecs read from. Not safe for use by several threads. */
public final class ByteSource {

    private static final int LONGEST_BYTES = 1 << 28;

    private final byte[] bytes;
    private int at;

    public ByteSource(byte[] bytes, int from) {
        this.bytes = bytes;
        at = from;
    }

    private int take(int length) throws EOFException {
        int from = at;
        if (length < 0 || length > bytes.length - from) {
            throw new EOFException("the value ends after " + bytes.length + " bytes, " + length + " more are needed");
        }
        at = from + length;
        return from;
    }

    public boolean readBoolean() throws EOFException {
        return readByte() != 0;
    }

    public byte readByte() throws EOFException {
        int from = take(1);
        return bytes[from];
    }

    public int readUnsignedByte() throws EOFException {
        return readByte() & 0xFF;
    }

    /** Reads {@link ByteSink#writeLong}. */
    public long readLong() throws EOFException {
        int from = take(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | bytes[from + i] & 0xFF;
        }
        return value;
    }

    public double readDouble() throws EOFException {
        return Double.longBitsToDouble(readLong());
    }

    /** Reads {@link ByteSink#writeVarint}. */
    public long readVarint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = readByte();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IOException("a number has more than ten bytes: the value is damaged");
    }

    /** Reads {@link ByteSink#writeText}. */
    public String readText() throws IOException {
        long length = readVarint();
        if (length == 0) {
            return null;
        }
        int checked = checked(length - 1);
        int from = take(checked);
        return new String(bytes, from, checked, StandardCharsets.UTF_8);
    }

    public byte[] readBytes(long length) throws IOException {
        byte[] read = new byte[Math.min(checked(length), bytes.length - at)];
        System.arraycopy(bytes, take(checked(length)), read, 0, read.length);
        return read;
    }

    /** The unread bytes. */
    public byte[] readRest() {
        byte[] rest = Arrays.copyOfRange(bytes, at, bytes.length);
        at = bytes.length;
        return rest;
    }

    /** Reads bytes at a place of an array, from there to its end. */
    public interface Reader<V> {
        V read(byte[] bytes, int from) throws IOException;
    }

    /** Passes the unread bytes to a reader without a copy; they must not be changed. */
    public <V> V rest(Reader<V> reader) throws IOException {
        V value = reader.read(bytes, at);
        at = bytes.length;
        return value;
    }

    /** The present offset in the array. */
    public int position() {
        return at;
    }

    public void skip(int length) throws IOException {
        take(length);
    }

    /** Passes over what {@link ByteSink#writeText} wrote. */
    public void skipText() throws IOException {
        long length = readVarint();
        if (length > 0) {
            take(checked(length - 1));
        }
    }

    /** A number of bytes or entries that follow: not negative, and no more than there are bytes left. */
    public int readCount() throws IOException {
        long number = readVarint();
        if (number < 0 || number > bytes.length - at) {
            throw new IOException(number + " bytes or entries where " + (bytes.length - at)
                    + " bytes are left: the value is damaged");
        }
        return (int) number;
    }

    private static int checked(long length) throws IOException {
        if (length < 0 || length > LONGEST_BYTES) {
            throw new IOException("a length of " + length + " bytes: the value is damaged");
        }
        return (int) length;
    }
}
