package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * A due list: its entries are numbered.
 *
 * @param name which minute or day, see {@link dev.weir.queues.model.DueList}
 * @param first the number of its first entry
 * @param next the number of its next entry
 */
public record DueListRecord(String queue, long name, long first, long next) {

    /** See {@link DueListRecord}. */
    static final class DueListCodec implements Codec<DueListRecord> {

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(DueListRecord list, ByteSink out) {
            Wire.writeString(out, list.queue);
            Wire.writeLong(out, list.name);
            Wire.writeLong(out, list.first);
            Wire.writeLong(out, list.next);
        }

        @Override
        public DueListRecord read(int version, ByteSource in) throws IOException {
            String queue = Wire.readString(in);
            long name = Wire.readLong(in);
            long first = Wire.readLong(in);
            return new DueListRecord(queue, name, first, Wire.readLong(in));
        }
    }
}
