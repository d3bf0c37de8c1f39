package dev.weir.protocol.queue;

import dev.weir.protocol.Names;
import java.util.Set;

/**
 * Which queue of the broker takes what is asked of queues. What changes keys, owners and whole queues has one with the pushes: a crash of Weir
 * then puts no push before the making of its queue, and no removal after a push that followed it. Questions and reports of workers have queues of
 * their own, so that they do not wait behind a flood of pushes.
 */
final class Routes {

    private static final Set<Class<?>> ASKS = Set.of(
            QueueEntry.Pop.class,
            QueueEntry.Answer.class,
            QueueEntry.Show.class,
            QueueEntry.Peek.class,
            QueueEntry.Overview.class,
            QueueEntry.ListOwners.class,
            QueueEntry.ListGroups.class);

    /** Limits with them, because a new limit ends a hold. */
    private static final Set<Class<?>> OF_LEASES =
            Set.of(QueueEntry.Done.class, QueueEntry.Extend.class, QueueEntry.Hold.class, QueueEntry.SetLimit.class);

    private Routes() {}

    static String keyOf(QueueEntry entry) {
        if (ASKS.contains(entry.getClass())) {
            return Names.ASKS_KEY;
        }
        return OF_LEASES.contains(entry.getClass()) ? Names.DONE_KEY : Names.ITEMS_KEY;
    }
}
