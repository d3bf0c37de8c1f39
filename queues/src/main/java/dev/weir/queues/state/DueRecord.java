package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * An entry of a due list: something of a key is due.
 *
 * @param at in milliseconds since 1970
 */
public record DueRecord(String key, long at) {

    /** See {@link DueRecord}. */
    static final class DueCodec implements Codec<DueRecord> {

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(DueRecord due, ByteSink out) {
            Wire.writeString(out, due.key);
            Wire.writeLong(out, due.at);
        }

        @Override
        public DueRecord read(int version, ByteSource in) throws IOException {
            String key = Wire.readString(in);
            return new DueRecord(key, Wire.readLong(in));
        }
    }
}
