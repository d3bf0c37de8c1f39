package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;
import java.util.Map;

/**
 * What was set for an owner of a queue.
 *
 * @param weight 1 to 100
 * @param maxItems null for the bound of the queue
 * @param facts from which priorities of its items are made
 */
public record OwnerRecord(String queue, String owner, int weight, Integer maxItems, Map<String, Double> facts) {

    /** See {@link OwnerRecord}. */
    static final class OwnerCodec implements Codec<OwnerRecord> {

        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(OwnerRecord owner, ByteSink out) {
            Wire.writeString(out, owner.queue);
            Wire.writeString(out, owner.owner);
            Wire.writeLong(out, owner.weight);
            Wire.writeOptional(out, owner.maxItems == null ? null : Long.valueOf(owner.maxItems));
            Values.writeFacts(out, owner.facts);
        }

        @Override
        public OwnerRecord read(int version, ByteSource in) throws IOException {
            String queue = Wire.readString(in);
            String owner = Wire.readString(in);
            int weight = Wire.readInt(in);
            Long maxItems = Wire.readOptional(in);
            return new OwnerRecord(
                    queue,
                    owner,
                    weight,
                    maxItems == null ? null : maxItems.intValue(),
                    version > 1 ? Values.readFacts(in) : Map.of());
        }
    }
}
