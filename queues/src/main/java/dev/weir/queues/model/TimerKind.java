package dev.weir.queues.model;

/** What a timer is about; its subject says which. */
public enum TimerKind {
    /** The next beat is to be sent. */
    BEAT,
    /** A lease runs out, on the lease clock. The subject is a {@link LiveLease}. */
    LEASE,
    /** More leases have run out than one event ends. */
    LEASES,
    /** Items of a {@link Queue} start to wait, expire, or are dead for long enough, or keys that rest are due. */
    QUEUE,
    /** A {@link Queue} that was purged has more to remove. */
    PURGE,
    /** A {@link Queue} has more items to rank anew. */
    RANK,
    /** The wait of an {@link Ask} is over. */
    ASK
}
