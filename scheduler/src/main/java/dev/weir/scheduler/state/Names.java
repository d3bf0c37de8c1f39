package dev.weir.scheduler.state;

import dev.weir.scheduler.store.ByteSink;
import dev.weir.scheduler.store.ByteSource;
import dev.weir.scheduler.store.Codec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A short piece of a long list that only grows at its end, e.g. of a check-list. */
public record Names(List<String> names) {

    /** Entries to a piece: few enough that adding one rewrites little, enough that a piece costs less than its entries. */
    public static final int PIECE = 8;

    public Names with(String name) {
        List<String> more = new ArrayList<>(names.size() + 1);
        more.addAll(names);
        more.add(name);
        return new Names(more);
    }

    /** See {@link Names}. */
    static final class NamesCodec implements Codec<Names> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Names value, ByteSink out) {
            Wire.writeStrings(out, value.names);
        }

        @Override
        public Names read(int version, ByteSource in) throws IOException {
            return new Names(Wire.readStrings(in));
        }
    }
}
