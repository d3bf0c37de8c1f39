package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.protocol.Check;
import dev.weir.protocol.Texts;
import java.time.Instant;
import java.util.List;

/**
 * An item as readers see it.
 *
 * @param state where it is
 * @param failures how often it failed
 * @param error why it failed last; null for never
 * @param createdAt when its key came
 * @param notBefore when it may start, if that is later than now; of one that rests when it runs again; null otherwise
 * @param expiresAt from when on it is not started any more; null for never
 * @param position how many of its owner's items of its kind are before it, from 0, up to {@value #MOST_POSITION}; null when it does not wait
 * @param why why it does not start, in a sentence; null when it is the next, or only behind others of its owner and kind
 * @param again when its key runs again; null for never
 * @param answer the last result of its key that is kept; null for none
 * @param result of one that has finished; null otherwise, and when it has none
 */
public record ShownItem(
        String key,
        String kind,
        String owner,
        int priority,
        Payload payload,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> groups,
        State state,
        int failures,
        String error,
        Instant createdAt,
        Instant notBefore,
        Instant expiresAt,
        Integer position,
        String why,
        Again again,
        LastAnswer answer,
        Payload result) {

    /** Positions are counted up to here. */
    public static final int MOST_POSITION = 1_000;

    /** Where an item is. */
    public enum State {
        /** It may be popped, as soon as its groups have room. */
        @JsonProperty("waiting")
        WAITING,
        /** It may be popped later: it is not due yet, or cools off after a failure. */
        @JsonProperty("later")
        LATER,
        /** A worker has it. */
        @JsonProperty("leased")
        LEASED,
        /** It failed too often, or its leases were lost too often. */
        @JsonProperty("dead")
        DEAD,
        /** It runs again at a later date, or its answer is kept, or it has its grace. */
        @JsonProperty("resting")
        RESTING,
        /** It has just finished. */
        @JsonProperty("finished")
        FINISHED,
        /** It has just been removed, or its time was over. */
        @JsonProperty("removed")
        REMOVED
    }

    public ShownItem {
        Item.checkKey(key);
        Check.uid("kind", kind);
        Check.uid("owner", owner);
        Check.within("priority", priority, 1, QueueLimits.WORST_PRIORITY);
        payload = payload == null ? Payload.NONE : payload;
        groups = Check.groups("groups", groups);
        Check.required("state", state);
        Check.within("failures", failures, 0, Integer.MAX_VALUE);
        error = Check.sentence(error);
        Check.required("created_at", createdAt);
        if (position != null) {
            Check.within("position", position, 0, MOST_POSITION);
        }
        why = Check.sentence(why);
    }

    /** An upper bound of its bytes in a message. */
    public long jsonBytes() {
        return Item.jsonBytes(key, payload, groups)
                + bytes(error)
                + bytes(why)
                + bytes(again == null ? null : again.cron())
                + bytes(answer == null ? null : answer.result().json())
                + bytes(result == null ? null : result.json());
    }

    private static long bytes(String text) {
        return text == null ? 0 : Texts.jsonBytes(text);
    }
}
