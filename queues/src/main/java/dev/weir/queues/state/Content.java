package dev.weir.queues.state;

import dev.weir.engine.store.ByteSink;
import dev.weir.engine.store.ByteSource;
import dev.weir.engine.store.Wire;
import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a push said of an item, with what was learnt since.
 *
 * @param priority by which it is ordered
 * @param given as the push gave it
 * @param notBefore in milliseconds since 1970; 0 for any time
 * @param expiresAt in milliseconds since 1970; 0 for never
 * @param again when its key runs again; null if the push did not say
 * @param facts from which its priority is made
 */
public record Content(
        String kind,
        String owner,
        int priority,
        int given,
        Payload payload,
        List<String> groups,
        long notBefore,
        long expiresAt,
        Again again,
        Map<String, Double> facts) {

    /** Of a key of which nothing is known. */
    static final Content NONE = new Content("", "", 1, 1, Payload.NONE, List.of(), 0, 0, null, Map.of());

    public static Content of(Item item) {
        return new Content(
                item.kind(),
                item.owner(),
                item.priority(),
                item.priority(),
                item.payload(),
                item.groups(),
                millis(item.notBefore()),
                millis(item.expiresAt()),
                item.again(),
                item.facts());
    }

    private static long millis(Instant time) {
        return time == null ? 0 : Math.max(1, time.toEpochMilli());
    }

    /** The same in another place of the order. */
    public Content ranked(int other) {
        return other == priority
                ? this
                : new Content(kind, owner, other, given, payload, groups, notBefore, expiresAt, again, facts);
    }

    /** The same as if the push had given another priority. */
    public Content given(int other) {
        return new Content(kind, owner, other, other, payload, groups, notBefore, expiresAt, again, facts);
    }

    /** The same with another first time. */
    public Content notBefore(long other) {
        return new Content(kind, owner, priority, given, payload, groups, other, expiresAt, again, facts);
    }

    /** The same with another end. */
    public Content expiresAt(long other) {
        return new Content(kind, owner, priority, given, payload, groups, notBefore, other, again, facts);
    }

    /** The same that runs again by another rule; null for no other one. */
    public Content again(Again other) {
        return other == null
                ? this
                : new Content(kind, owner, priority, given, payload, groups, notBefore, expiresAt, other, facts);
    }

    /** The same with the facts of a score. */
    public Content facts(Map<String, Double> changes) {
        Map<String, Double> all = changed(facts, changes);
        return new Content(kind, owner, priority, given, payload, groups, notBefore, expiresAt, again, all);
    }

    /** Facts with those of a score, in which null takes one away. */
    public static Map<String, Double> changed(Map<String, Double> facts, Map<String, Double> changes) {
        Map<String, Double> all = new HashMap<>(facts);
        all.putAll(changes);
        all.values().removeIf(Objects::isNull);
        return Map.copyOf(all);
    }

    /** Whether its key runs again. */
    public boolean recurs() {
        return again != null && again.recurs();
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
        Wire.writeLong(out, given);
        Values.writeAgain(out, again);
        Values.writeFacts(out, facts);
    }

    /** @param ranked whether it was written with what follows the first seven fields */
    static Content read(boolean ranked, ByteSource in) throws IOException {
        String kind = Wire.readString(in);
        String owner = Wire.readString(in);
        int priority = Wire.readInt(in);
        Payload payload = new Payload(Wire.readString(in));
        List<String> groups = List.copyOf(Wire.readStrings(in));
        long notBefore = Wire.readLong(in);
        long expiresAt = Wire.readLong(in);
        return new Content(
                kind,
                owner,
                priority,
                ranked ? Wire.readInt(in) : priority,
                payload,
                groups,
                notBefore,
                expiresAt,
                ranked ? Values.readAgain(in) : null,
                ranked ? Values.readFacts(in) : Map.of());
    }
}
