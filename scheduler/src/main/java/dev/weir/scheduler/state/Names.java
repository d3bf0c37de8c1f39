package dev.weir.scheduler.state;

import dev.weir.scheduler.store.ByteSink;
import dev.weir.scheduler.store.ByteSource;
import dev.weir.scheduler.store.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A short piece of a long list that only grows at its end, e.g. of a check-list. It never changes, and holds its names as they are
 * stored: one more name costs a copy of bytes, not the encoding of those before it.
 */
public final class Names {

    /** Entries to a piece: few enough that adding one rewrites little, enough that a piece costs less than its entries. */
    public static final int PIECE = 8;

    public static final Names NONE = new Names(0, new byte[0]);

    private final int count;
    private final byte[] encoded;

    private Names(int count, byte[] encoded) {
        this.count = count;
        this.encoded = encoded;
    }

    /** The names in this order. */
    public static Names of(List<String> names) {
        Names all = NONE;
        for (String name : names) {
            all = all.with(name);
        }
        return all;
    }

    public Names with(String name) {
        byte[] added = ByteSink.text(name);
        byte[] more = Arrays.copyOf(encoded, encoded.length + added.length);
        System.arraycopy(added, 0, more, encoded.length, added.length);
        return new Names(count + 1, more);
    }

    public List<String> names() {
        try {
            ByteSource source = new ByteSource(encoded, 0);
            List<String> names = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                names.add(source.readText());
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException("a list of names is damaged", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Names names && count == names.count && Arrays.equals(encoded, names.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return names().toString();
    }

    /** See {@link Names}. */
    static final class NamesCodec implements Codec<Names> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Names value, ByteSink out) {
            out.writeVarint(value.count);
            out.write(value.encoded);
        }

        @Override
        public Names read(int version, ByteSource in) throws IOException {
            int count = Wire.readInt(in);
            return new Names(count, in.readRest());
        }
    }
}
