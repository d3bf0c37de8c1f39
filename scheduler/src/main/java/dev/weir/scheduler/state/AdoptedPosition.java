package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * A position of a task that is released in order: a pilot reported its job although our state did not remember sending it, so the job
 * was adopted and the cursor will skip the position.
 *
 * @param isAdopted false: an older version kept a report here, for a file that had not been read; it is dropped
 */
public record AdoptedPosition(String taskUid, long position, boolean isAdopted) {

    /** See {@link AdoptedPosition}. */
    static final class AdoptedCodec implements Codec<AdoptedPosition> {

        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(AdoptedPosition adopted, ByteSink out) {
            Wire.writeString(out, adopted.taskUid);
            Wire.writeLong(out, adopted.position);
        }

        @Override
        public AdoptedPosition read(int version, ByteSource in) throws IOException {
            String taskUid = Wire.readString(in);
            long position = Wire.readLong(in);
            boolean isReport = false;
            if (version == 1) {
                Wire.readLong(in);
                isReport = in.readBoolean();
            }
            return new AdoptedPosition(taskUid, position, !isReport);
        }
    }
}
