package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Texts;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A piece of work that is pushed into a queue.
 *
 * @param key names it in its queue, at most {@link QueueLimits#MAX_KEY_BYTES}; a key is there once, whatever comes of it
 * @param kind which workers it is for; null means {@link QueueLimits#DEFAULT}
 * @param owner who shares the queue with other owners; null means {@link QueueLimits#DEFAULT}
 * @param priority 1 (best) to {@link QueueLimits#WORST_PRIORITY}; null means {@link QueueLimits#DEFAULT_PRIORITY}
 * @param payload what the worker gets
 * @param groups the limit groups that it takes a place in while it is leased
 * @param notBefore no start before this time; null for any time
 * @param expiresAt no start from this time on: the item is dropped; null for never
 * @param again when it runs again; null leaves that as it is, which is not at all for a key that comes for the first time
 * @param facts from which a ranker makes its priority, at most {@link QueueLimits#MAX_FACTS}
 * @param ifPresent what to do when its key is in the queue already; null means {@link IfPresent#RAISE}
 */
public record Item(
        String key,
        String kind,
        String owner,
        Integer priority,
        Payload payload,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> groups,
        Instant notBefore,
        Instant expiresAt,
        Again again,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> facts,
        IfPresent ifPresent) {

    /** Of kind and owner, numbers and times, and of the names of all fields. */
    private static final int MOST_OTHER_BYTES = 768;

    /** What a push does when its key waits, is put off or is leased. */
    public enum IfPresent {
        /** Nothing. */
        @JsonProperty("keep")
        KEEP,
        /** It takes the better priority and the earlier start of the two; a leased one runs once more. */
        @JsonProperty("raise")
        RAISE,
        /** The new item replaces the one that waits and keeps its age; a leased one runs once more as the new one says. */
        @JsonProperty("replace")
        REPLACE
    }

    public Item {
        checkKey(key);
        kind = kind == null ? QueueLimits.DEFAULT : Check.uid("kind", kind);
        owner = owner == null ? QueueLimits.DEFAULT : Check.uid("owner", owner);
        priority = Check.within(
                "priority", priority == null ? QueueLimits.DEFAULT_PRIORITY : priority, 1, QueueLimits.WORST_PRIORITY);
        payload = payload == null ? Payload.NONE : payload;
        groups = Check.groups("groups", groups);
        if (again != null) {
            again.checkDates();
        }
        facts = Rank.facts("facts", facts);
        ifPresent = ifPresent == null ? IfPresent.RAISE : ifPresent;
    }

    /** The form of a key: at least one character that is no white space, no zero character and no half of one, {@link QueueLimits#MAX_KEY_BYTES}. */
    static void checkKey(String key) {
        Check.bytes("key", Check.text("key", key), QueueLimits.MAX_KEY_BYTES);
        if (key.indexOf('\0') >= 0) {
            throw new InvalidMessage("key", "key must not contain a zero character");
        }
        Check.characters("key", key);
    }

    /** An upper bound of the bytes of what an item has in a message, whatever its reader may see. */
    static long jsonBytes(String key, Payload payload, List<String> groups) {
        long bytes = MOST_OTHER_BYTES + Texts.jsonBytes(key) + Texts.jsonBytes(payload.json());
        for (String group : groups) {
            bytes += Texts.jsonBytes(group) + 3;
        }
        return bytes;
    }
}
