package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Names;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One thing that is asked of a queue. Each entry has one {@link QueueAnswer} with the same number. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = QueueEntry.Push.class, name = "push"),
    @JsonSubTypes.Type(value = QueueEntry.Pop.class, name = "pop"),
    @JsonSubTypes.Type(value = QueueEntry.Done.class, name = "done"),
    @JsonSubTypes.Type(value = QueueEntry.Extend.class, name = "extend"),
    @JsonSubTypes.Type(value = QueueEntry.Hold.class, name = "hold"),
    @JsonSubTypes.Type(value = QueueEntry.Show.class, name = "show"),
    @JsonSubTypes.Type(value = QueueEntry.Peek.class, name = "peek"),
    @JsonSubTypes.Type(value = QueueEntry.Remove.class, name = "remove"),
    @JsonSubTypes.Type(value = QueueEntry.Redrive.class, name = "redrive"),
    @JsonSubTypes.Type(value = QueueEntry.Configure.class, name = "configure"),
    @JsonSubTypes.Type(value = QueueEntry.QueueAction.class, name = "queue"),
    @JsonSubTypes.Type(value = QueueEntry.SetOwner.class, name = "owner"),
    @JsonSubTypes.Type(value = QueueEntry.SetLimit.class, name = "limit"),
    @JsonSubTypes.Type(value = QueueEntry.Overview.class, name = "overview")
})
public sealed interface QueueEntry {

    /** Its number at its gateway, from 0. */
    long n();

    /** The key of {@link Names#SEND_QUEUES} with which it is sent: pushes and questions have queues of their own, behind which no report waits. */
    default String routingKey() {
        if (this instanceof Push) {
            return Names.ITEMS_KEY;
        }
        boolean asks = this instanceof Pop || this instanceof Show || this instanceof Peek || this instanceof Overview;
        return asks ? Names.ASKS_KEY : Names.DONE_KEY;
    }

    private static void checkKey(String queue, String key) {
        Check.uid("queue", queue);
        Item.checkKey(key);
    }

    /** Puts an item into a queue. */
    record Push(long n, String queue, Item item) implements QueueEntry {
        public Push {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.required("item", item);
        }
    }

    /**
     * Takes items from a queue, each with a lease.
     *
     * @param kinds of which kinds, at most {@link QueueLimits#MAX_KINDS}; empty for all kinds
     * @param most how many at most, 1 to {@link QueueLimits#MAX_ITEMS}; null means 1. Large payloads make it fewer
     * @param waitMs how long to wait for the first one, in milliseconds, 0 to {@link QueueLimits#MAX_WAIT_MILLIS}
     */
    record Pop(
            long n,
            String queue,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> kinds,
            Integer most,
            int waitMs)
            implements QueueEntry {
        public Pop {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            kinds = Check.copied("kinds", kinds).stream().distinct().toList();
            Check.atMost("kinds", kinds, QueueLimits.MAX_KINDS);
            kinds.forEach(kind -> Check.uid("kinds", kind));
            most = Check.within("most", most == null ? 1 : most, 1, QueueLimits.MAX_ITEMS);
            Check.within("wait_ms", waitMs, 0, QueueLimits.MAX_WAIT_MILLIS);
        }
    }

    /** What a worker made of a leased item. */
    enum End {
        /** It is done: the item goes. */
        @JsonProperty("finished")
        FINISHED,
        /** It failed: it waits for its next attempt, or is dead. */
        @JsonProperty("failed")
        FAILED,
        /** Handed back untouched: it waits again, and no attempt is used. */
        @JsonProperty("released")
        RELEASED
    }

    /**
     * Ends a lease.
     *
     * @param token of the lease
     * @param result what came of it, for those who wait for its end; only of a finished one
     * @param error why it failed, in a sentence; only of a failed one
     * @param retry false: no further attempt; null means true; only of a failed one
     */
    record Done(long n, String token, End end, Payload result, String error, Boolean retry) implements QueueEntry {
        public Done {
            Check.notNegative("n", n);
            Check.token("token", token);
            Check.required("end", end);
            if (result != null && end != End.FINISHED) {
                throw new InvalidMessage("result", "result needs end: finished");
            }
            if (error != null && end != End.FAILED) {
                throw new InvalidMessage("error", "error needs end: failed");
            }
            if (retry != null && end != End.FAILED) {
                throw new InvalidMessage("retry", "retry needs end: failed");
            }
            error = Check.sentence(error);
        }
    }

    /**
     * Keeps a lease.
     *
     * @param leaseS for how long from now, in seconds; null for the lease of its queue
     */
    record Extend(long n, String token, Integer leaseS) implements QueueEntry {
        public Extend {
            Check.notNegative("n", n);
            Check.token("token", token);
            if (leaseS != null) {
                Check.within("lease_s", leaseS, 1, QueueLimits.MAX_LEASE_SECONDS);
            }
        }
    }

    /**
     * Lets no item of a group start for a while, because whoever the group stands for has said so, as HTTP does with 429 and Retry-After.
     * Of several holds the later end counts.
     *
     * @param token of the lease of an item of the group
     * @param holdS for how long from now, in seconds, 1 to {@link QueueLimits#MAX_HOLD_SECONDS}
     */
    record Hold(long n, String token, String group, int holdS) implements QueueEntry {
        public Hold {
            Check.notNegative("n", n);
            Check.token("token", token);
            Check.group("group", group);
            Check.within("hold_s", holdS, 1, QueueLimits.MAX_HOLD_SECONDS);
        }
    }

    /**
     * Shows one item, or waits for its end.
     *
     * @param waitMs how long to wait until it has ended, in milliseconds, 0 to {@link QueueLimits#MAX_WAIT_MILLIS}
     */
    record Show(long n, String queue, String key, int waitMs) implements QueueEntry {
        public Show {
            Check.notNegative("n", n);
            checkKey(queue, key);
            Check.within("wait_ms", waitMs, 0, QueueLimits.MAX_WAIT_MILLIS);
        }
    }

    /**
     * Shows items of a queue without taking them: those that would be popped next, those that are put off, the first to start first, or
     * the dead ones, the oldest first.
     *
     * @param most how many, 1 to {@link QueueLimits#MAX_ITEMS}
     * @param state waiting, later or dead; null means waiting
     */
    record Peek(long n, String queue, int most, ShownItem.State state) implements QueueEntry {

        private static final Set<ShownItem.State> STATES =
                EnumSet.of(ShownItem.State.WAITING, ShownItem.State.LATER, ShownItem.State.DEAD);

        public Peek {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.within("most", most, 1, QueueLimits.MAX_ITEMS);
            state = state == null ? ShownItem.State.WAITING : state;
            if (!STATES.contains(state)) {
                throw new InvalidMessage("state", "state must be waiting, later or dead");
            }
        }
    }

    /** Takes an item out, whatever its state. A worker that has it hears so at its next extend or done. */
    record Remove(long n, String queue, String key) implements QueueEntry {
        public Remove {
            Check.notNegative("n", n);
            checkKey(queue, key);
        }
    }

    /**
     * Moves dead items back, oldest first, as far as the bounds allow.
     *
     * @param most how many, 1 to {@link QueueLimits#MAX_ITEMS}
     */
    record Redrive(long n, String queue, int most) implements QueueEntry {
        public Redrive {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.within("most", most, 1, QueueLimits.MAX_ITEMS);
        }
    }

    /** Makes a queue, or gives it other settings. */
    record Configure(long n, String queue, QueueSettings settings) implements QueueEntry {
        public Configure {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            settings = settings == null ? QueueSettings.defaults() : settings;
        }
    }

    /** What is done to a whole queue. */
    enum Action {
        /** No more pops. */
        @JsonProperty("pause")
        PAUSE,
        @JsonProperty("resume")
        RESUME,
        /** All items that wait or are put off go. */
        @JsonProperty("purge")
        PURGE,
        /** The queue goes, with all that is in it. */
        @JsonProperty("delete")
        DELETE
    }

    /** Does something to a whole queue. */
    record QueueAction(long n, String queue, Action action) implements QueueEntry {
        public QueueAction {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.required("action", action);
        }
    }

    /**
     * Gives an owner of a queue a weight and a bound.
     *
     * @param weight its share against other owners, 1 to 100; null means 1
     * @param maxItems most items of it that are not dead; null for the queue's
     */
    record SetOwner(long n, String queue, String owner, Integer weight, Integer maxItems) implements QueueEntry {
        public SetOwner {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.uid("owner", owner);
            weight = Check.within("weight", weight == null ? 1 : weight, Limits.MIN_WEIGHT, Limits.MAX_WEIGHT);
            if (maxItems != null) {
                Check.within("max_items", maxItems, 1, QueueLimits.MAX_QUEUE_ITEMS);
            }
        }
    }

    /**
     * Sets the limits of a group over all queues; without any of them it has none.
     *
     * @param maxInFlight most items of it that are leased; null for any number
     * @param maxStarts most of its leases that begin within windowS seconds; null for any number, and then windowS is null too
     */
    record SetLimit(long n, String group, Integer maxInFlight, Integer maxStarts, Integer windowS)
            implements QueueEntry {
        public SetLimit {
            Check.notNegative("n", n);
            Check.group("group", group);
            if (maxInFlight != null) {
                Check.within("max_in_flight", maxInFlight, 0, Integer.MAX_VALUE);
            }
            if (maxStarts != null) {
                Check.within("max_starts", maxStarts, 0, Integer.MAX_VALUE);
                Check.within("window_s", Check.required("window_s", windowS), 1, QueueLimits.MAX_LEASE_SECONDS);
            } else if (windowS != null) {
                throw new InvalidMessage("max_starts", "window_s needs max_starts");
            }
        }
    }

    /** Tells of one queue, or of all. */
    record Overview(long n, String queue) implements QueueEntry {
        public Overview {
            Check.notNegative("n", n);
            Check.optionalUid("queue", queue);
        }
    }
}
