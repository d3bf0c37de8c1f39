package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;

/**
 * How a queue works. A null stands for the default.
 *
 * @param maxItems most items that wait, are put off or leased; 1 to {@link QueueLimits#MAX_QUEUE_ITEMS}, 100,000 by default
 * @param maxBytes most bytes of their keys and payloads, a character counting as one; 1 GiB by default
 * @param maxItemsPerOwner the same for one owner that has no bound of its own; null for no bound but the queue's
 * @param reserve share of both bounds that only items of priority 1 may use; 0 to 0.5, 0.1 by default
 * @param leaseS how long a silent worker keeps an item, in seconds; 1 to {@link QueueLimits#MAX_LEASE_SECONDS}, 60 by default
 * @param maxLeaseS how long a worker may extend a lease in all, in seconds; at least leaseS, a day by default
 * @param attempts failures after which an item is dead; 1 to 1,000, 3 by default
 * @param lostLeases lost leases after which it is dead; 1 to 1,000, 5 by default
 * @param releases how often it may be handed back before it is dead; 1 to 10,000, 100 by default
 * @param backOffS the pause after the first failure, doubled after each further one, in seconds; 0 to 86,400, 10 by default
 * @param maxBackOffS the longest pause, in seconds; at least backOffS, 3,600 by default
 * @param maxDead most dead items that are kept, the oldest are dropped; 0 to 100,000, 10,000 by default
 * @param deadS how long a dead item is kept, in seconds; 14 days by default
 * @param maxResting most keys that rest: those that run again, and those with an answer or a grace; 0 to
 *     {@link QueueLimits#MAX_QUEUE_ITEMS}, 100,000 by default
 * @param graceS a key does not start again so soon after it has finished, in seconds; 0 to a year, 0 by default
 * @param freshS how long a result that does not say so itself is fresh, in seconds; 0 to a year, 0 by default
 * @param staleS how long it may be given when it is no longer fresh, in seconds; 0 to a year, 0 by default
 * @param recheckS for how long the failure of a lookup is the answer, in seconds; 0 to 86,400, 30 by default
 * @param refresh which answers are looked up anew in the last tenth of their lives; null means {@link Refresh#NEVER}
 * @param rank how priorities follow from facts; null means that they are as given
 * @param low when fewer items than this wait or are put off, {@code queue.low} is announced; null for never
 */
public record QueueSettings(
        Integer maxItems,
        Long maxBytes,
        Integer maxItemsPerOwner,
        Double reserve,
        Integer leaseS,
        Integer maxLeaseS,
        Integer attempts,
        Integer lostLeases,
        Integer releases,
        Integer backOffS,
        Integer maxBackOffS,
        Integer maxDead,
        Integer deadS,
        Integer low,
        Integer maxResting,
        Integer graceS,
        Integer freshS,
        Integer staleS,
        Integer recheckS,
        Refresh refresh,
        Rank rank) {

    /** Which answers are looked up anew before they end. */
    public enum Refresh {
        @JsonProperty("never")
        NEVER,
        /** When somebody asks for one in the last tenth of its life. */
        @JsonProperty("asked")
        ASKED,
        @JsonProperty("always")
        ALWAYS
    }

    private static final int DAY = 24 * 3600;
    private static final long LEAST_BYTES = 1 << 20;
    private static final long MOST_BYTES = 1L << 40;
    private static final int YEAR = 365 * DAY;

    public QueueSettings {
        maxItems = Check.within("max_items", or(maxItems, 100_000), 1, QueueLimits.MAX_QUEUE_ITEMS);
        maxBytes = maxBytes == null ? 1L << 30 : maxBytes;
        if (maxBytes < LEAST_BYTES || maxBytes > MOST_BYTES) {
            throw new InvalidMessage(
                    "max_bytes", "max_bytes must be from " + LEAST_BYTES + " to " + MOST_BYTES + ", got " + maxBytes);
        }
        if (maxItemsPerOwner != null) {
            Check.within("max_items_per_owner", maxItemsPerOwner, 1, QueueLimits.MAX_QUEUE_ITEMS);
        }
        reserve = Check.within("reserve", reserve == null ? 0.1 : reserve, 0, 0.5);
        leaseS = Check.within("lease_s", or(leaseS, 60), 1, QueueLimits.MAX_LEASE_SECONDS);
        maxLeaseS = Check.within(
                "max_lease_s", or(maxLeaseS, Math.max(DAY, leaseS)), leaseS, QueueLimits.MAX_LEASE_SECONDS);
        attempts = Check.within("attempts", or(attempts, 3), 1, 1_000);
        lostLeases = Check.within("lost_leases", or(lostLeases, 5), 1, 1_000);
        releases = Check.within("releases", or(releases, 100), 1, 10_000);
        backOffS = Check.within("back_off_s", or(backOffS, 10), 0, DAY);
        maxBackOffS = Check.within("max_back_off_s", or(maxBackOffS, Math.max(3600, backOffS)), backOffS, YEAR);
        maxDead = Check.within("max_dead", or(maxDead, 10_000), 0, 100_000);
        deadS = Check.within("dead_s", or(deadS, 14 * DAY), 1, YEAR);
        if (low != null) {
            Check.within("low", low, 1, QueueLimits.MAX_QUEUE_ITEMS);
        }
        maxResting = Check.within("max_resting", or(maxResting, 100_000), 0, QueueLimits.MAX_QUEUE_ITEMS);
        graceS = Check.within("grace_s", or(graceS, 0), 0, YEAR);
        freshS = Check.within("fresh_s", or(freshS, 0), 0, YEAR);
        staleS = Check.within("stale_s", or(staleS, 0), 0, YEAR);
        recheckS = Check.within("recheck_s", or(recheckS, 30), 0, DAY);
        refresh = refresh == null ? Refresh.NEVER : refresh;
    }

    /** All defaults. */
    public static QueueSettings defaults() {
        return new QueueSettings(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null);
    }

    private static int or(Integer given, int otherwise) {
        return given == null ? otherwise : given;
    }
}
