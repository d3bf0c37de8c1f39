package dev.weir.scheduler.state;

import dev.weir.scheduler.store.Codec;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A short piece of a long list that only grows at its end, e.g. of a check-list. */
public record Names(List<String> names) {

    /** Entries to a piece: few enough that adding one rewrites little, enough that a piece costs less than its entries. */
    public static final int PIECE = 16;

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
        public void write(Names value, DataOutput out) throws IOException {
            Wire.writeStrings(out, value.names);
        }

        @Override
        public Names read(int version, DataInput in) throws IOException {
            return new Names(Wire.readStrings(in));
        }
    }
}
