package dev.weir.connectors.rabbitmq.source.split;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Version 1: length and UTF-8 of the queue's name, messages read, number of keys, and 16 bytes for each. */
public final class QueueSplitSerializer implements SimpleVersionedSerializer<QueueSplit> {

    static final int VERSION = 1;
    private static final int FIXED_BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(QueueSplit split) {
        byte[] name = split.queue().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(
                FIXED_BYTES + name.length + 2 * Long.BYTES * split.seen().size());
        out.putInt(name.length)
                .put(name)
                .putLong(split.read())
                .putInt(split.seen().size());
        for (MessageKey key : split.seen()) {
            out.putLong(key.high()).putLong(key.low());
        }
        return out.array();
    }

    @Override
    public QueueSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION) {
            throw new IOException("The state of a queue has version " + version + ", but this connector reads only "
                    + VERSION + "; restore with the version that wrote it");
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(serialized);
            byte[] name = new byte[in.getInt()];
            in.get(name);
            long read = in.getLong();
            int count = in.getInt();
            List<MessageKey> seen = new ArrayList<>(Math.min(count, in.remaining() / (2 * Long.BYTES)));
            for (int i = 0; i < count; i++) {
                seen.add(new MessageKey(in.getLong(), in.getLong()));
            }
            return new QueueSplit(new String(name, StandardCharsets.UTF_8), read, seen);
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IOException("The state of a queue is damaged: " + serialized.length + " bytes that end early", e);
        }
    }
}
