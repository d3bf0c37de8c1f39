package dev.weir.queues.api;

import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueBeat;

/** An action outside the queues. All may leave at once; after a restore they may be sent again, or differ. */
public sealed interface Effect {

    /** To a gateway that asked. It may be gone. */
    record Answer(String gateway, QueueAnswer answer) implements Effect {}

    /** To the queue of our own beats, so that it comes back as {@link Event.BeatArrived}. */
    record SendBeat(QueueBeat beat) implements Effect {}

    /**
     * A queue has fewer items than its mark, for the program that fills it.
     *
     * @param items how many wait or are put off
     */
    record AnnounceLow(String queue, long items) implements Effect {}
}
