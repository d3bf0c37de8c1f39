package dev.weir.job.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Version 1: exchange, routing key, message id, priority, body. */
public final class OutboundSerializer extends MessageSerializer<Outbound> {

    public static final OutboundSerializer INSTANCE = new OutboundSerializer();

    private static final int VERSION = 1;

    @Override
    public void serialize(Outbound message, DataOutputView out) throws IOException {
        out.writeByte(VERSION);
        out.writeUTF(message.exchange());
        out.writeUTF(message.routingKey());
        out.writeUTF(message.messageId());
        out.writeByte(message.priority());
        writeBytes(message.body(), out);
    }

    @Override
    public Outbound deserialize(DataInputView in) throws IOException {
        readVersion(in, VERSION, Outbound.class);
        return new Outbound(in.readUTF(), in.readUTF(), in.readUTF(), in.readUnsignedByte(), readBytes(in));
    }

    @Override
    public TypeSerializerSnapshot<Outbound> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Written into savepoints. The version byte of each message covers changes within the format. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Outbound> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
