package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * What a push said of an item.
 *
 * @param notBefore in milliseconds since 1970; 0 for any time
 * @param expiresAt in milliseconds since 1970; 0 for never
 */
public record Content(
        String kind, String owner, int priority, Payload payload, List<String> groups, long notBefore, long expiresAt) {

    public static Content of(Item item) {
        return new Content(
                item.kind(),
                item.owner(),
                item.priority(),
                item.payload(),
                item.groups(),
                millis(item.notBefore()),
                millis(item.expiresAt()));
    }

    private static long millis(Instant time) {
        return time == null ? 0 : Math.max(1, time.toEpochMilli());
    }

    /** The same with another priority and another first time. */
    public Content with(int otherPriority, long otherNotBefore) {
        return new Content(kind, owner, otherPriority, payload, groups, otherNotBefore, expiresAt);
    }

    /** What it counts against the bounds of its queue, in characters of JSON. */
    public int size() {
        return payload.json().length();
    }

    void write(ByteSink out) {
        Wire.writeString(out, kind);
        Wire.writeString(out, owner);
        Wire.writeLong(out, priority);
        Wire.writeString(out, payload.json());
        Wire.writeStrings(out, groups);
        Wire.writeLong(out, notBefore);
        Wire.writeLong(out, expiresAt);
    }

    static Content read(ByteSource in) throws IOException {
        return new Content(
                Wire.readString(in),
                Wire.readString(in),
                Wire.readInt(in),
                new Payload(Wire.readString(in)),
                List.copyOf(Wire.readStrings(in)),
                Wire.readLong(in),
                Wire.readLong(in));
    }
}
