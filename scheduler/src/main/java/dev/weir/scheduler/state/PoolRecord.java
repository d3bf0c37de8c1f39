package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * The operator's order for a pool.
 *
 * @param commandAt when the newest command about it was given, in milliseconds since 1970
 */
public record PoolRecord(Use use, long commandAt) {

    /** Which jobs the pool sends. */
    public enum Use {
        NORMAL,
        /** Nothing. */
        PAUSED,
        /** Further attempts, but no fresh files. */
        DRAINING
    }

    public static final PoolRecord NONE = new PoolRecord(Use.NORMAL, 0);

    /** See {@link PoolRecord}. */
    static final class PoolCodec implements Codec<PoolRecord> {
        private static final Use[] USES = Use.values();

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(PoolRecord pool, ByteSink out) {
            Wire.writeEnum(out, pool.use);
            Wire.writeLong(out, pool.commandAt);
        }

        @Override
        public PoolRecord read(int version, ByteSource in) throws IOException {
            return new PoolRecord(Wire.readEnum(in, USES), Wire.readLong(in));
        }
    }
}
