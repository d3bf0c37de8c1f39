package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Limits;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    @JsonSubTypes.Type(value = QueueEntry.Answer.class, name = "answer"),
    @JsonSubTypes.Type(value = QueueEntry.Score.class, name = "score"),
    @JsonSubTypes.Type(value = QueueEntry.Remove.class, name = "remove"),
    @JsonSubTypes.Type(value = QueueEntry.Redrive.class, name = "redrive"),
    @JsonSubTypes.Type(value = QueueEntry.Configure.class, name = "configure"),
    @JsonSubTypes.Type(value = QueueEntry.QueueAction.class, name = "queue"),
    @JsonSubTypes.Type(value = QueueEntry.SetOwner.class, name = "owner"),
    @JsonSubTypes.Type(value = QueueEntry.SetLimit.class, name = "limit"),
    @JsonSubTypes.Type(value = QueueEntry.Overview.class, name = "overview"),
    @JsonSubTypes.Type(value = QueueEntry.ListOwners.class, name = "owners"),
    @JsonSubTypes.Type(value = QueueEntry.ListGroups.class, name = "groups")
})
public sealed interface QueueEntry {

    /** Its number at its gateway, from 0. */
    long n();

    /** The key of {@link dev.weir.protocol.Names#SEND_QUEUES} with which it is sent. */
    default String routingKey() {
        return Routes.keyOf(this);
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
            kinds = Kinds.named(kinds);
            most = Check.within("most", most == null ? 1 : most, 1, QueueLimits.MAX_ITEMS);
            Check.within("wait_ms", waitMs, 0, QueueLimits.MAX_WAIT_MILLIS);
        }
    }

    /** What a worker made of a leased item. */
    enum End {
        /** It is done: the item goes, or rests. */
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
     * @param freshS how long the result is fresh as an answer, in seconds, 0 to a year; null for the time of its queue; only of a finished one
     * @param staleS how long it may be given after that, in seconds, 0 to a year; null for the time of its queue; only of a finished one
     * @param digest distinguishes results, for {@link Again#adapts}; null: the result itself does; only of a finished one
     * @param next when the key runs again, instead of the date that its {@link Again} gives; only of a finished one
     * @param unseen true: it reached no worker, so that this counts nothing; only of a released one, and only gateways say it
     */
    record Done(
            long n,
            String token,
            End end,
            Payload result,
            String error,
            Boolean retry,
            Integer freshS,
            Integer staleS,
            String digest,
            Instant next,
            Boolean unseen)
            implements QueueEntry {
        /** What a worker says. */
        public Done(
                long n,
                String token,
                End end,
                Payload result,
                String error,
                Boolean retry,
                Integer freshS,
                Integer staleS,
                String digest,
                Instant next) {
            this(n, token, end, result, error, retry, freshS, staleS, digest, next, null);
        }

        public Done {
            Check.notNegative("n", n);
            Check.token("token", token);
            Check.required("end", end);
            only(End.FINISHED, end, "result", result);
            only(End.FINISHED, end, "fresh_s", freshS);
            only(End.FINISHED, end, "stale_s", staleS);
            only(End.FINISHED, end, "digest", digest);
            only(End.FINISHED, end, "next", next);
            only(End.FAILED, end, "error", error);
            only(End.FAILED, end, "retry", retry);
            only(End.RELEASED, end, "unseen", unseen);
            error = Check.sentence(error);
            Check.optionalWithin("fresh_s", freshS, 0, Again.YEAR);
            Check.optionalWithin("stale_s", staleS, 0, Again.YEAR);
            if (digest != null) {
                Check.length("digest", digest, QueueLimits.MAX_DIGEST_LENGTH);
            }
        }

        private static void only(End needed, End end, String field, Object value) {
            if (value != null && end != needed) {
                throw new InvalidMessage(
                        field, field + " needs end: " + needed.name().toLowerCase(Locale.ROOT));
            }
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
            Check.optionalWithin("lease_s", leaseS, 1, QueueLimits.MAX_LEASE_SECONDS);
        }
    }

    /**
     * Lets no item of a group start for a while, because the service that the group stands for has said so, as HTTP does with 429 and Retry-After.
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
     * Shows items of a queue without taking them: those that would be popped next, those that are put off or rest, the first to
     * start first, those that workers have, or the dead ones, the oldest first.
     *
     * @param most how many, 1 to {@link QueueLimits#MAX_ITEMS}
     * @param state waiting, later, leased, dead or resting; null means waiting
     * @param owner whose; null for all owners
     * @param kinds of which kinds or beginnings of kinds with a star behind them, at most {@link QueueLimits#MAX_KINDS}; null for all kinds
     */
    record Peek(long n, String queue, int most, ShownItem.State state, String owner, List<String> kinds)
            implements QueueEntry {
        public Peek {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.within("most", most, 1, QueueLimits.MAX_ITEMS);
            state = state == null ? ShownItem.State.WAITING : state;
            if (!EnumSet.range(ShownItem.State.WAITING, ShownItem.State.RESTING).contains(state)) {
                throw new InvalidMessage("state", "state must be waiting, later, leased, dead or resting");
            }
            Check.optionalUid("owner", owner);
            kinds = kinds == null || kinds.isEmpty() ? null : Kinds.begun(kinds);
        }
    }

    /**
     * Asks for the last result of a key. If none is fresh enough, one item is made for all that ask, with priority 1 while they wait.
     *
     * @param item what to push if there is no answer
     * @param start false: wait for an answer, but push nothing; null means true
     * @param maxAgeMs no answer that is older, in milliseconds; null for any that is fresh
     * @param staleMs for how many milliseconds after its end an answer is taken if no other comes; null for as long as it is kept
     * @param waitMs how long to wait, in milliseconds, 0 to {@link QueueLimits#MAX_WAIT_MILLIS}
     */
    record Answer(long n, String queue, Item item, Boolean start, Long maxAgeMs, Long staleMs, int waitMs)
            implements QueueEntry {
        public Answer {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            Check.required("item", item);
            start = start == null || start;
            Check.optionalNotNegative("max_age_ms", maxAgeMs);
            Check.optionalNotNegative("stale_ms", staleMs);
            Check.within("wait_ms", waitMs, 0, QueueLimits.MAX_WAIT_MILLIS);
        }
    }

    /**
     * Brings facts of a key or of all keys of an owner; a ranker makes priorities of them. They are added to what is known, a fact of the
     * same name is replaced, and one that is null is taken away.
     *
     * @param key null if it is about an owner
     * @param owner null if it is about a key
     * @param facts at most {@link QueueLimits#MAX_FACTS}
     */
    record Score(
            long n,
            String queue,
            String key,
            String owner,

            @JsonInclude(content = JsonInclude.Include.ALWAYS)
            Map<String, Double> facts)
            implements QueueEntry {
        public Score {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
            if ((key == null) == (owner == null)) {
                throw new InvalidMessage("key", "a score is about a key or an owner");
            }
            if (key != null) {
                Item.checkKey(key);
            }
            Check.optionalUid("owner", owner);
            facts = Rank.factChanges("facts", facts);
            Check.required("facts", facts.isEmpty() ? null : facts);
        }
    }

    /** Takes a key out, whatever its state, with its answer and its next date. A worker that has it hears so at its next extend or done. */
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
        /** All items that wait or are put off go; their keys do not run again. Keys that rest stay. */
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
            Check.optionalWithin("max_items", maxItems, 1, QueueLimits.MAX_QUEUE_ITEMS);
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
            Check.optionalWithin("max_in_flight", maxInFlight, 0, Integer.MAX_VALUE);
            if (maxStarts != null) {
                Check.within("max_starts", maxStarts, 0, Integer.MAX_VALUE);
                Check.within("window_s", Check.required("window_s", windowS), 1, QueueLimits.MAX_LEASE_SECONDS);
            } else if (windowS != null) {
                throw new InvalidMessage("max_starts", "window_s needs max_starts");
            }
        }
    }

    /** Asks for the numbers of one queue, or of all. */
    record Overview(long n, String queue) implements QueueEntry {
        public Overview {
            Check.notNegative("n", n);
            Check.optionalUid("queue", queue);
        }
    }

    /** Asks for the owners of a queue, those with the most items first. */
    record ListOwners(long n, String queue) implements QueueEntry {
        public ListOwners {
            Check.notNegative("n", n);
            Check.uid("queue", queue);
        }
    }

    /** Asks for the limit groups of items that have a limit or are held: the held ones first, then those for which the most items wait. */
    record ListGroups(long n) implements QueueEntry {
        public ListGroups {
            Check.notNegative("n", n);
        }
    }
}
