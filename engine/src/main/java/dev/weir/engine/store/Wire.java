package dev.weir.engine.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Small numbers in few bytes, strings of any length, and nulls. */
public final class Wire {

    private Wire() {}

    /** Seven bits to a byte, least significant first; a negative number takes ten bytes. */
    public static void writeLong(ByteSink out, long value) {
        out.writeVarint(value);
    }

    public static long readLong(ByteSource in) throws IOException {
        return in.readVarint();
    }

    public static int readInt(ByteSource in) throws IOException {
        return (int) in.readVarint();
    }

    public static void writeString(ByteSink out, String value) {
        out.writeText(value);
    }

    public static String readString(ByteSource in) throws IOException {
        return in.readText();
    }

    public static void writeBytes(ByteSink out, byte[] value) {
        out.writeVarint(value.length);
        out.write(value);
    }

    public static byte[] readBytes(ByteSource in) throws IOException {
        return in.readBytes(in.readVarint());
    }

    public static void writeOptional(ByteSink out, Long value) {
        out.writeBoolean(value != null);
        if (value != null) {
            out.writeVarint(value);
        }
    }

    public static Long readOptional(ByteSource in) throws IOException {
        return in.readBoolean() ? Long.valueOf(in.readVarint()) : null;
    }

    public static void writeStrings(ByteSink out, List<String> values) {
        int size = values.size();
        out.writeVarint(size);
        for (int i = 0; i < size; i++) {
            out.writeText(values.get(i));
        }
    }

    public static List<String> readStrings(ByteSource in) throws IOException {
        int size = readInt(in);
        List<String> values = new ArrayList<>(Math.max(0, Math.min(size, 1 << 16)));
        for (int i = 0; i < size; i++) {
            values.add(readString(in));
        }
        return values;
    }

    /** An enum by its ordinal, null allowed. Constants may be added at the end only. */
    public static void writeEnum(ByteSink out, Enum<?> value) {
        out.writeByte(value == null ? 0 : value.ordinal() + 1);
    }

    public static <E> E readEnum(ByteSource in, E[] values) throws IOException {
        int ordinal = in.readUnsignedByte() - 1;
        if (ordinal >= values.length) {
            throw new IOException("an unknown constant (" + ordinal + "): the value is damaged or from a newer Weir");
        }
        return ordinal < 0 ? null : values[ordinal];
    }
}
