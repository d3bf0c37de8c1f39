package dev.weir.queues.options;

import dev.weir.engine.Range;
import dev.weir.engine.limit.LimitOptions;
import dev.weir.protocol.queue.QueueLimits;
import java.time.Duration;

/**
 * What holds for all queues together.
 *
 * @param maxQueues most queues, at most 1,000, because one message describes all; 1,000
 * @param maxItems most items of all queues, dead ones included; 2,000,000
 * @param maxLeased most items that workers have at once; 100,000
 * @param maxOwners most owners of a queue; 100,000
 * @param maxAsks most pops, shows and answers that wait at once; 10,000
 * @param beatInterval between two beats, by which lease time advances; 5 s
 * @param limits limit groups
 */
public record QueuesOptions(
        int maxQueues,
        int maxItems,
        int maxLeased,
        int maxOwners,
        int maxAsks,
        Duration beatInterval,
        LimitOptions limits) {

    public QueuesOptions {
        Range.check("max-queues", maxQueues, 1, QueueLimits.MAX_QUEUES);
        Range.check("max-items", maxItems, 1, 100_000_000);
        Range.check("max-leased", maxLeased, 1, 10_000_000);
        Range.check("max-owners", maxOwners, 1, 1_000_000);
        Range.check("max-asks", maxAsks, 1, 1_000_000);
        Range.check("beat-interval", beatInterval, Duration.ofMillis(100), Duration.ofMinutes(1));
    }

    public static QueuesOptions defaults() {
        return new QueuesOptions(
                1_000, 2_000_000, 100_000, 100_000, 10_000, Duration.ofSeconds(5), LimitOptions.none());
    }

    public QueuesOptions withMaxItems(int value) {
        return new QueuesOptions(maxQueues, value, maxLeased, maxOwners, maxAsks, beatInterval, limits);
    }

    public QueuesOptions withMaxLeased(int value) {
        return new QueuesOptions(maxQueues, maxItems, value, maxOwners, maxAsks, beatInterval, limits);
    }

    public QueuesOptions withMaxOwners(int value) {
        return new QueuesOptions(maxQueues, maxItems, maxLeased, value, maxAsks, beatInterval, limits);
    }

    public QueuesOptions withMaxAsks(int value) {
        return new QueuesOptions(maxQueues, maxItems, maxLeased, maxOwners, value, beatInterval, limits);
    }

    public QueuesOptions withLimits(LimitOptions value) {
        return new QueuesOptions(maxQueues, maxItems, maxLeased, maxOwners, maxAsks, beatInterval, value);
    }
}
