package dev.weir.scheduler.store;

import java.io.DataInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Reads bytes in memory: {@link java.io.DataInputStream} without its locks. Not safe for use by several threads. */
public final class ByteSource implements DataInput {

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

    @Override
    public void readFully(byte[] target) throws EOFException {
        readFully(target, 0, target.length);
    }

    @Override
    public void readFully(byte[] target, int from, int length) throws EOFException {
        int source = take(length);
        System.arraycopy(bytes, source, target, from, length);
    }

    @Override
    public int skipBytes(int n) {
        int skipped = Math.max(0, Math.min(n, bytes.length - at));
        at += skipped;
        return skipped;
    }

    @Override
    public boolean readBoolean() throws EOFException {
        return readByte() != 0;
    }

    @Override
    public byte readByte() throws EOFException {
        int from = take(1);
        return bytes[from];
    }

    @Override
    public int readUnsignedByte() throws EOFException {
        return readByte() & 0xFF;
    }

    @Override
    public short readShort() throws EOFException {
        return (short) readUnsignedShort();
    }

    @Override
    public int readUnsignedShort() throws EOFException {
        int from = take(2);
        return (bytes[from] & 0xFF) << 8 | bytes[from + 1] & 0xFF;
    }

    @Override
    public char readChar() throws EOFException {
        return (char) readUnsignedShort();
    }

    @Override
    public int readInt() throws EOFException {
        return readUnsignedShort() << 16 | readUnsignedShort();
    }

    @Override
    public long readLong() throws EOFException {
        return (long) readInt() << 32 | readInt() & 0xFFFFFFFFL;
    }

    @Override
    public float readFloat() throws EOFException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws EOFException {
        return Double.longBitsToDouble(readLong());
    }

    /** Not used by our codecs. */
    @Override
    public String readLine() {
        throw new UnsupportedOperationException("a value has no lines");
    }

    @Override
    public String readUTF() throws EOFException {
        int length = readUnsignedShort();
        return readText(length);
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

    /** UTF-8 of so many bytes. */
    public String readText(int length) throws EOFException {
        int from = take(length);
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }
}
