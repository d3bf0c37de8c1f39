package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * A node whose last attempts failed by system failures.
 *
 * @param failures in a row
 * @param setAsideUntil it gets no work before, in milliseconds since 1970; 0 while it may
 * @param probeJob the job that probes it; null when there is none
 */
public record NodeRecord(String node, String pool, int failures, long setAsideUntil, String probeJob) {

    /** See {@link NodeRecord}. */
    static final class NodeCodec implements Codec<NodeRecord> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(NodeRecord n, ByteSink out) {
            Wire.writeString(out, n.node);
            Wire.writeString(out, n.pool);
            Wire.writeLong(out, n.failures);
            Wire.writeLong(out, n.setAsideUntil);
            Wire.writeString(out, n.probeJob);
        }

        @Override
        public NodeRecord read(int version, ByteSource in) throws IOException {
            return new NodeRecord(
                    Wire.readString(in), Wire.readString(in), Wire.readInt(in), Wire.readLong(in), Wire.readString(in));
        }
    }
}
