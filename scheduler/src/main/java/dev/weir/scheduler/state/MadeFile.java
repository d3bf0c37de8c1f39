package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Wire;
import java.io.IOException;

/**
 * An output or log that a pilot made.
 *
 * @param attempt the attempt that made it
 * @param size in bytes; null when not reported
 * @param checksum null when not reported
 */
public record MadeFile(int attempt, String url, Long size, String checksum) {

    static void write(MadeFile file, ByteSink out) {
        Wire.writeLong(out, file.attempt);
        Wire.writeString(out, file.url);
        Wire.writeOptional(out, file.size);
        Wire.writeString(out, file.checksum);
    }

    static MadeFile read(ByteSource in) throws IOException {
        return new MadeFile(Wire.readInt(in), Wire.readString(in), Wire.readOptional(in), Wire.readString(in));
    }
}
