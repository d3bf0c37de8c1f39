package dev.weir.queues.model;

import dev.weir.engine.Timer;
import dev.weir.protocol.queue.QueueEntry;

/** A pop that waits for an item, or a show or an answer that waits for the end of one. */
public final class Ask {

    public final String gateway;
    public final QueueEntry entry;
    public final Queue queue;
    /** The item whose end is awaited; -1 for a pop. */
    public long number;
    /** When the wait is over. */
    public final Timer timer;

    private Ask(String gateway, QueueEntry entry, Queue queue, long number) {
        this.gateway = gateway;
        this.entry = entry;
        this.queue = queue;
        this.number = number;
        timer = new Timer(TimerKind.ASK, this);
    }

    public static Ask ofPop(String gateway, QueueEntry.Pop pop, Queue queue) {
        return new Ask(gateway, pop, queue, -1);
    }

    /** @param entry a show or an answer */
    public static Ask ofEnd(String gateway, QueueEntry entry, Queue queue, long number) {
        return new Ask(gateway, entry, queue, number);
    }

    public QueueEntry.Pop pop() {
        return (QueueEntry.Pop) entry;
    }
}
