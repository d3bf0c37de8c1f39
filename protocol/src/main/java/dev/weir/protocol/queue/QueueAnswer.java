package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.protocol.Check;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Texts;
import java.util.List;

/**
 * The answer to one {@link QueueEntry}.
 *
 * @param n the number of the entry
 * @param status what came of it
 * @param field the field at fault, of what was refused
 * @param reason why, in a sentence; null when it was done
 * @param items the leased items of a pop, at most {@link QueueLimits#MAX_ITEMS}; null otherwise
 * @param shown the items of a show or peek, at most as many; null otherwise
 * @param queues of an overview, at most {@link QueueLimits#MAX_QUEUES}; null otherwise
 * @param count how many items a purge or redrive moved, or how many owners or groups there are; null otherwise
 * @param answer the answer that was asked for; null otherwise
 * @param owners of a queue, at most {@link QueueLimits#MAX_ITEMS}, and count says how many there are; null otherwise
 * @param groups of items, as owners
 * @param leaseS how long an extended lease lasts from now, in seconds; null otherwise
 */
public record QueueAnswer(
        long n,
        Status status,
        String field,
        String reason,
        List<LeasedItem> items,
        List<ShownItem> shown,
        List<QueueView> queues,
        Integer count,
        LastAnswer answer,
        List<OwnerView> owners,
        List<GroupView> groups,
        Integer leaseS) {

    /** What came of an entry. */
    public enum Status {
        /** Done as asked. Of a pop: it may have given nothing. */
        @JsonProperty("ok")
        OK,
        /** Of a push: the key is new, was dead, or rested without a fresh answer. */
        @JsonProperty("created")
        CREATED,
        /** Of a push: the key waits already, and stays as it is. */
        @JsonProperty("waiting")
        WAITING,
        /** Of a push: the key waits already, with a better priority or an earlier start now. */
        @JsonProperty("raised")
        RAISED,
        /** Of a push: the key waits already, with the new content now. */
        @JsonProperty("replaced")
        REPLACED,
        /** Of a push: the key is leased, and stays as it is. */
        @JsonProperty("leased")
        LEASED,
        /** Of a push: the key is leased, and runs once more when the lease ends. */
        @JsonProperty("again")
        AGAIN,
        /** Of a push: the key rests with a fresh answer, and stays as it is. Of an answer: here it is. */
        @JsonProperty("fresh")
        FRESH,
        /** Of an answer: a stale one, because no other came in time or the lookup failed. */
        @JsonProperty("old")
        OLD,
        /** Of an answer: there is none yet; the key is being worked on. */
        @JsonProperty("pending")
        PENDING,
        /** Of an answer: the lookup failed, reason says why. */
        @JsonProperty("failed")
        FAILED,
        /** Of a push: a bound is reached. */
        @JsonProperty("full")
        FULL,
        /** It cannot be done; field and reason say why. */
        @JsonProperty("refused")
        REFUSED,
        /** There is no such queue or key. */
        @JsonProperty("unknown")
        UNKNOWN,
        /** The lease has ended, or was never given. */
        @JsonProperty("stale")
        STALE
    }

    public QueueAnswer {
        Check.notNegative("n", n);
        Check.required("status", status);
        field = field == null ? null : Texts.first(field, Limits.MAX_FIELD_LENGTH);
        reason = Check.sentence(reason);
        items = list("items", items, QueueLimits.MAX_ITEMS);
        shown = list("shown", shown, QueueLimits.MAX_ITEMS);
        owners = list("owners", owners, QueueLimits.MAX_ITEMS);
        groups = list("groups", groups, QueueLimits.MAX_ITEMS);
        queues = list("queues", queues, QueueLimits.MAX_QUEUES);
        if (count != null) {
            Check.within("count", count, 0, Integer.MAX_VALUE);
        }
        if (leaseS != null) {
            Check.within("lease_s", leaseS, 0, QueueLimits.MAX_LEASE_SECONDS);
        }
    }

    /** Null stays null: an empty list is an answer too. */
    private static <T> List<T> list(String field, List<T> values, int most) {
        if (values == null) {
            return null;
        }
        Check.atMost(field, values, most);
        return Check.copied(field, values);
    }

    public static QueueAnswer of(long n, Status status) {
        return new QueueAnswer(n, status, null, null, null, null, null, null, null, null, null, null);
    }

    public static QueueAnswer of(long n, Status status, String reason) {
        return new QueueAnswer(n, status, null, reason, null, null, null, null, null, null, null, null);
    }

    public static QueueAnswer refused(long n, String field, String reason) {
        return new QueueAnswer(n, Status.REFUSED, field, reason, null, null, null, null, null, null, null, null);
    }

    public static QueueAnswer popped(long n, List<LeasedItem> items) {
        return new QueueAnswer(n, Status.OK, null, null, items, null, null, null, null, null, null, null);
    }

    public static QueueAnswer shown(long n, List<ShownItem> shown) {
        return new QueueAnswer(n, Status.OK, null, null, null, shown, null, null, null, null, null, null);
    }

    public static QueueAnswer queues(long n, List<QueueView> queues) {
        return new QueueAnswer(n, Status.OK, null, null, null, null, queues, null, null, null, null, null);
    }

    /** @param all how many there are, of which these are the first */
    public static QueueAnswer owners(long n, List<OwnerView> owners, int all) {
        return new QueueAnswer(n, Status.OK, null, null, null, null, null, all, null, owners, null, null);
    }

    /** @param all how many there are, of which these are the first */
    public static QueueAnswer groups(long n, List<GroupView> groups, int all) {
        return new QueueAnswer(n, Status.OK, null, null, null, null, null, all, null, null, groups, null);
    }

    public static QueueAnswer counted(long n, int count) {
        return new QueueAnswer(n, Status.OK, null, null, null, null, null, count, null, null, null, null);
    }

    /** @param status fresh or old */
    public static QueueAnswer answered(long n, Status status, LastAnswer answer) {
        return new QueueAnswer(n, status, null, null, null, null, null, null, answer, null, null, null);
    }

    public static QueueAnswer extended(long n, int leaseS) {
        return new QueueAnswer(n, Status.OK, null, null, null, null, null, null, null, null, null, leaseS);
    }
}
