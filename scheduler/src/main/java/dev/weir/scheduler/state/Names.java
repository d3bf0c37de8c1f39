package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A short piece of a long list that only grows at its end, e.g. of a check-list. Mutable; it holds its names as they are stored,
 * so that an addition costs no encoding of earlier names.
 */
public final class Names {

    /** Entries to a piece: few enough that adding one rewrites little, enough that a piece costs less than its entries. */
    public static final int PIECE = 8;

    private static final int INITIAL = 64;

    private int count;
    private final ByteSink encoded;

    /** An empty piece. */
    public Names() {
        this(0, new ByteSink(INITIAL));
    }

    private Names(int count, ByteSink encoded) {
        this.count = count;
        this.encoded = encoded;
    }

    /** How many pieces so many names fill. */
    public static long pieces(long names) {
        return (names + PIECE - 1) / PIECE;
    }

    /** The names in this order. */
    public static Names of(List<String> names) {
        Names all = new Names();
        names.forEach(all::add);
        return all;
    }

    public void add(String name) {
        encoded.writeText(name);
        count++;
    }

    public List<String> names() {
        try {
            ByteSource source = new ByteSource(encoded.toByteArray(), 0);
            List<String> names = new ArrayList<>(PIECE);
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
        return other instanceof Names names && names().equals(names.names());
    }

    @Override
    public int hashCode() {
        return names().hashCode();
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
            byte[] names = in.readRest();
            ByteSink encoded = new ByteSink(names.length + INITIAL);
            encoded.write(names);
            return new Names(count, encoded);
        }
    }
}
