package dev.weir.queues.api;

import dev.weir.protocol.queue.QueueBeat;
import dev.weir.protocol.queue.QueueRequest;

/** All that can happen to {@link dev.weir.queues.Queues}. Any event may come twice, late, or in another order than it was sent. */
public sealed interface Event {

    /**
     * A gateway asks for something.
     *
     * @param again whether the broker says that it may have given the request before. A push in it was accepted then, and is never refused
     *     because its queue is full
     */
    record Requested(QueueRequest request, boolean again) implements Event {}

    /** Our own beat came back. */
    record BeatArrived(QueueBeat beat) implements Event {}

    /** The deadline of {@link dev.weir.queues.Queues#nextDeadlineMillis()} has come. A tick too early or too many does no harm. */
    record Tick() implements Event {}
}
