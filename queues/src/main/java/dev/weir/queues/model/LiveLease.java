package dev.weir.queues.model;

import dev.weir.engine.Timer;
import dev.weir.engine.limit.GroupSet;

/** An item that a worker has. */
public final class LiveLease {

    public final long number;
    public final Queue queue;
    public final String owner;
    /** Of its key and payload. */
    public long bytes;
    /** Whether its key runs again. */
    public boolean recurs;
    /** In which it has a place. */
    public final GroupSet groups;
    /** On the lease clock. */
    public final Timer timer;

    public LiveLease(long number, Queue queue, String owner, long bytes, boolean recurs, GroupSet groups) {
        this.number = number;
        this.queue = queue;
        this.owner = owner;
        this.bytes = bytes;
        this.recurs = recurs;
        this.groups = groups;
        timer = new Timer(TimerKind.LEASE, this);
    }
}
