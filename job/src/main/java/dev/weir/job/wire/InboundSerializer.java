package dev.weir.job.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Version 1: kind, lane, queue, time, body, answer. */
public final class InboundSerializer extends MessageSerializer<Inbound> {

    public static final InboundSerializer INSTANCE = new InboundSerializer();

    private static final int VERSION = 1;
    private static final Inbound.Kind[] KINDS = Inbound.Kind.values();

    @Override
    public void serialize(Inbound message, DataOutputView out) throws IOException {
        out.writeByte(VERSION);
        out.writeByte(message.kind().ordinal());
        out.writeInt(message.lane());
        out.writeUTF(message.queue());
        out.writeLong(message.receivedAtMillis());
        writeBytes(message.body(), out);
        writeBytes(message.answer(), out);
    }

    @Override
    public Inbound deserialize(DataInputView in) throws IOException {
        readVersion(in, VERSION, Inbound.class);
        return new Inbound(
                KINDS[in.readUnsignedByte()], in.readInt(), in.readUTF(), in.readLong(), readBytes(in), readBytes(in));
    }

    @Override
    public TypeSerializerSnapshot<Inbound> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Written into savepoints. The version byte of each message covers changes within the format. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Inbound> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
