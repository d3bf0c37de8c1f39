package dev.weir.protocol.queue;

import dev.weir.protocol.Check;

/**
 * A queue as readers see it.
 *
 * @param waiting items that may be popped
 * @param later items that are put off
 * @param leased items that workers have
 * @param dead items that failed too often
 * @param bytes of keys and payloads of all that are not dead
 * @param owners owners with items that are not dead
 * @param pushed how many items were created since the queue was made
 * @param popped how many leases began
 * @param finished how many items finished
 * @param failed how many attempts failed
 * @param lost how many leases were lost
 * @param died how many items died; null stands for 0
 * @param deadDropped how many dead items were dropped, because they were more than the queue keeps or too old; null stands for 0
 * @param resting keys that run again later, or whose answers are kept, or that have their grace
 * @param hits how many questions were answered with a kept result
 * @param oldestS the age of the oldest item that waits, in seconds, among a thousand sets of groups and priorities at most; null when none waits
 */
public record QueueView(
        String queue,
        QueueSettings settings,
        boolean paused,
        long waiting,
        long later,
        long leased,
        long dead,
        long bytes,
        long owners,
        long pushed,
        long popped,
        long finished,
        long failed,
        long lost,
        Long died,
        Long deadDropped,
        long resting,
        long hits,
        Long oldestS) {

    public QueueView {
        Check.uid("queue", queue);
        Check.required("settings", settings);
        died = died == null ? 0 : died;
        deadDropped = deadDropped == null ? 0 : deadDropped;
    }
}
