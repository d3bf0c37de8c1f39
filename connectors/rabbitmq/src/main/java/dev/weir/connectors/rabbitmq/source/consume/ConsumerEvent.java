package dev.weir.connectors.rabbitmq.source.consume;

import dev.weir.connectors.rabbitmq.source.Delivery;
import org.apache.flink.annotation.Internal;

/** What a connection reports to the fetching thread, in the broker's order. */
@Internal
public sealed interface ConsumerEvent {

    /** A message came, on the channel with that number. */
    record Delivered(long channel, Delivery delivery) implements ConsumerEvent {}

    /** The channel with that number is gone, or the broker has cancelled its consumer, as it does when a queue is deleted. */
    record Interrupted(long channel, String queue, String why) implements ConsumerEvent {}

    /** A consumer that was cancelled by us has delivered all it will. */
    record Drained(long channel, String queue) implements ConsumerEvent {}

    /** Nothing happened, but the thread shall look around. */
    record Nudge() implements ConsumerEvent {}
}
