package dev.weir.scheduler.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Codec;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.Command;
import java.io.IOException;

/**
 * A command that waits for its task or, after a start, for reports.
 *
 * @param until when it is rejected because its task has not come, or acts if that is here, in milliseconds since 1970
 */
public record WaitingCommand(Command.AboutTask command, long until) {

    /** See {@link WaitingCommand}. */
    static final class WaitingCodec implements Codec<WaitingCommand> {
        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(WaitingCommand waiting, ByteSink out) {
            Wire.writeLong(out, waiting.until);
            Tables.COMMAND_CODEC.write(waiting.command, out);
        }

        @Override
        public WaitingCommand read(int version, ByteSource in) throws IOException {
            long until = Wire.readLong(in);
            return new WaitingCommand((Command.AboutTask) Tables.COMMAND_CODEC.read(1, in), until);
        }
    }
}
