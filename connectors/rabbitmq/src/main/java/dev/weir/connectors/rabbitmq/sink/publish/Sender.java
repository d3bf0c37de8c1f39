package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.sink.publish.PublisherState.Outgoing;
import java.util.concurrent.locks.ReentrantLock;
import javax.annotation.Nullable;

/**
 * Writes what is in the window, in its order. The task's thread and the maintenance thread both do: one that comes while the
 * other writes leaves its message to it and does not wait, so that a write that hangs holds up only one of them.
 */
final class Sender {

    private final PublisherState state;
    private final ReentrantLock writing = new ReentrantLock();

    /** The write under way, for the watch over hanging writes. */
    @Nullable private volatile Write underWay;

    /** A channel that is being written to, by which thread, and since when. */
    record Write(ConfirmingChannel on, Thread by, long sinceNanos) {

        /** Flink interrupts the task's thread to cancel it, and a write to a socket does not heed that. */
        boolean isInterrupted() {
            return by.isInterrupted();
        }
    }

    Sender(PublisherState state) {
        this.state = state;
    }

    /** Writes until nothing is left, the broker blocks, or the channel breaks. */
    void write() {
        // Asked again after the lock is released: a message that came just before found the lock taken.
        while (state.hasSomethingToWrite() && writing.tryLock()) {
            try {
                for (Outgoing next = state.next(); next != null; next = state.next()) {
                    write(next);
                }
            } finally {
                writing.unlock();
            }
        }
    }

    private void write(Outgoing next) {
        underWay = new Write(next.on(), Thread.currentThread(), System.nanoTime());
        try {
            next.on().publish(next.message());
        } finally {
            underWay = null;
        }
    }

    @Nullable Write underWay() {
        return underWay;
    }
}
