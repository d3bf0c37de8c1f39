package dev.weir.protocol.queue;

import dev.weir.protocol.Check;

/**
 * An event: a queue has fewer items than its mark, for the program that fills it. Sent once each time that it falls below.
 *
 * @param items how many wait or are put off
 */
public record QueueLow(String queue, long items) {

    public static final String ROUTING_KEY = "queue.low";

    public QueueLow {
        Check.uid("queue", queue);
        Check.notNegative("items", items);
    }
}
