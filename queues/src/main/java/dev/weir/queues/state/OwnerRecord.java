package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * What was set for an owner of a queue.
 *
 * @param weight 1 to 100
 * @param maxItems null for the bound of the queue
 */
public record OwnerRecord(String queue, String owner, int weight, Integer maxItems) {

    /** See {@link OwnerRecord}. */
    static final class OwnerCodec implements Codec<OwnerRecord> {

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(OwnerRecord owner, ByteSink out) {
            Wire.writeString(out, owner.queue);
            Wire.writeString(out, owner.owner);
            Wire.writeLong(out, owner.weight);
            Wire.writeOptional(out, owner.maxItems == null ? null : Long.valueOf(owner.maxItems));
        }

        @Override
        public OwnerRecord read(int version, ByteSource in) throws IOException {
            String queue = Wire.readString(in);
            String owner = Wire.readString(in);
            int weight = Wire.readInt(in);
            Long maxItems = Wire.readOptional(in);
            return new OwnerRecord(queue, owner, weight, maxItems == null ? null : maxItems.intValue());
        }
    }
}
