package dev.weir.scheduler.state;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Small numbers in few bytes, strings of any length, and nulls. */
public final class Wire {

    private Wire() {}

    /** Seven bits to a byte, least significant first; a negative number takes ten bytes. */
    public static void writeLong(DataOutput out, long value) throws IOException {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.writeByte((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    public static long readLong(DataInput in) throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = in.readByte();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IOException("a number has more than ten bytes: the value is damaged");
    }

    public static int readInt(DataInput in) throws IOException {
        return (int) readLong(in);
    }

    public static void writeString(DataOutput out, String value) throws IOException {
        if (value == null) {
            out.writeByte(0);
            return;
        }
        writeBytes(out, value.getBytes(StandardCharsets.UTF_8), 1);
    }

    public static String readString(DataInput in) throws IOException {
        long length = readLong(in);
        return length == 0 ? null : new String(readBytes(in, length - 1), StandardCharsets.UTF_8);
    }

    public static void writeBytes(DataOutput out, byte[] value) throws IOException {
        writeBytes(out, value, 0);
    }

    public static byte[] readBytes(DataInput in) throws IOException {
        return readBytes(in, readLong(in));
    }

    private static void writeBytes(DataOutput out, byte[] value, int added) throws IOException {
        writeLong(out, value.length + added);
        out.write(value);
    }

    private static byte[] readBytes(DataInput in, long length) throws IOException {
        if (length < 0 || length > 1 << 28) {
            throw new IOException("a length of " + length + " bytes: the value is damaged");
        }
        byte[] bytes = new byte[(int) length];
        in.readFully(bytes);
        return bytes;
    }

    public static void writeOptional(DataOutput out, Long value) throws IOException {
        out.writeBoolean(value != null);
        if (value != null) {
            writeLong(out, value);
        }
    }

    public static Long readOptional(DataInput in) throws IOException {
        return in.readBoolean() ? Long.valueOf(readLong(in)) : null;
    }

    public static void writeStrings(DataOutput out, List<String> values) throws IOException {
        writeLong(out, values.size());
        for (String value : values) {
            writeString(out, value);
        }
    }

    public static List<String> readStrings(DataInput in) throws IOException {
        int size = readInt(in);
        List<String> values = new ArrayList<>(Math.min(size, 1 << 16));
        for (int i = 0; i < size; i++) {
            values.add(readString(in));
        }
        return values;
    }

    /** An enum by its ordinal, null allowed. Constants may be added at the end only. */
    public static void writeEnum(DataOutput out, Enum<?> value) throws IOException {
        out.writeByte(value == null ? 0 : value.ordinal() + 1);
    }

    public static <E> E readEnum(DataInput in, E[] values) throws IOException {
        int ordinal = in.readUnsignedByte() - 1;
        if (ordinal >= values.length) {
            throw new IOException("an unknown constant (" + ordinal + "): the value is damaged or from a newer Weir");
        }
        return ordinal < 0 ? null : values[ordinal];
    }
}
