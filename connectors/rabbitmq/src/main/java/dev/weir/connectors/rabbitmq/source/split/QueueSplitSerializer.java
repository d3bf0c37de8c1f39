package dev.weir.connectors.rabbitmq.source.split;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Version 3: length and UTF-8 of the queue's name, messages read, three lists of keys: acknowledged, owed, delivered; a list is its
 * length, and 16 bytes for each key; then how many were acknowledged, and lost, at once at most. Version 2, which is still read, ended with
 * the lists; version 1, too, had one list of all keys.
 */
@Internal
public final class QueueSplitSerializer implements SimpleVersionedSerializer<QueueSplit> {

    static final int VERSION = 3;
    private static final int LISTS_VERSION = 2;
    private static final int ONE_LIST_VERSION = 1;
    private static final int FIXED_BYTES = Integer.BYTES + Long.BYTES + 3 * Integer.BYTES + 2 * Integer.BYTES;
    private static final int KEY_BYTES = 2 * Long.BYTES;
    /** What was not acknowledged is at the end of the one list of version 1, and was a prefetch window at most. */
    private static final int MOST_DELIVERED = 65_535;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(QueueSplit split) {
        byte[] name = split.queue().getBytes(StandardCharsets.UTF_8);
        SeenIds seen = split.seen();
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(name.length + bytes(split)));
        out.putInt(name.length).put(name).putLong(split.read());
        put(seen.acknowledged(), out);
        put(seen.owed(), out);
        put(seen.delivered(), out);
        out.putInt(seen.widestAcknowledgement()).putInt(seen.widestLoss());
        return out.array();
    }

    /** How many it takes, without the queue's name. */
    public static long bytes(QueueSplit split) {
        return FIXED_BYTES + (long) KEY_BYTES * split.seen().size();
    }

    private static void put(List<MessageKey> keys, ByteBuffer out) {
        out.putInt(keys.size());
        for (MessageKey key : keys) {
            out.putLong(key.high()).putLong(key.low());
        }
    }

    @Override
    public QueueSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version < ONE_LIST_VERSION || version > VERSION) {
            throw new IOException("The state of a queue has version " + version + ", but this connector reads only "
                    + ONE_LIST_VERSION + " to " + VERSION + "; restore with the version that wrote it");
        }
        try {
            ByteBuffer in = ByteBuffer.wrap(serialized);
            byte[] name = new byte[in.getInt()];
            in.get(name);
            long read = in.getLong();
            return new QueueSplit(new String(name, StandardCharsets.UTF_8), read, seen(version, in));
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IOException("The state of a queue is damaged: " + serialized.length + " bytes that end early", e);
        }
    }

    private static SeenIds seen(int version, ByteBuffer in) {
        return switch (version) {
            case ONE_LIST_VERSION -> apart(keys(in));
            case LISTS_VERSION -> new SeenIds(keys(in), keys(in), keys(in));
            default -> new SeenIds(keys(in), keys(in), keys(in), in.getInt(), in.getInt());
        };
    }

    private static List<MessageKey> keys(ByteBuffer in) {
        int count = in.getInt();
        List<MessageKey> keys = new ArrayList<>(Math.max(0, Math.min(count, in.remaining() / KEY_BYTES)));
        for (int i = 0; i < count; i++) {
            keys.add(new MessageKey(in.getLong(), in.getLong()));
        }
        return keys;
    }

    private static SeenIds apart(List<MessageKey> all) {
        int delivered = Math.max(0, all.size() - MOST_DELIVERED);
        return new SeenIds(all.subList(0, delivered), List.of(), all.subList(delivered, all.size()));
    }
}
