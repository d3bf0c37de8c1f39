package dev.weir.scheduler.state;

import dev.weir.protocol.Json;
import dev.weir.protocol.Report;
import dev.weir.scheduler.store.ByteSink;
import dev.weir.scheduler.store.ByteSource;
import dev.weir.scheduler.store.Codec;
import java.io.IOException;

/**
 * A position that a pilot reports although our state does not remember sending it: we were restored from before. Without
 * {@link #report} the job was adopted already and the position is only kept from being released again; with it the report waits
 * for the page (or the task) that proves it.
 *
 * @param report the newest one, a result if there is one; null once adopted
 * @param since when the first report came, in milliseconds since 1970
 */
public record Claim(String taskUid, long position, Report report, long since) {

    /** See {@link Claim}. */
    static final class ClaimCodec implements Codec<Claim> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Claim claim, ByteSink out) {
            Wire.writeString(out, claim.taskUid);
            Wire.writeLong(out, claim.position);
            Wire.writeLong(out, claim.since);
            out.writeBoolean(claim.report != null);
            if (claim.report != null) {
                Wire.writeBytes(out, Json.write(claim.report));
            }
        }

        @Override
        public Claim read(int version, ByteSource in) throws IOException {
            String taskUid = Wire.readString(in);
            long position = Wire.readLong(in);
            long since = Wire.readLong(in);
            Report report = in.readBoolean() ? Json.read(Wire.readBytes(in), Report.class) : null;
            return new Claim(taskUid, position, report, since);
        }
    }
}
