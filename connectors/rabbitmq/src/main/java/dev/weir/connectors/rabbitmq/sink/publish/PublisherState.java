package dev.weir.connectors.rabbitmq.sink.publish;

import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.SinkOptions;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.annotation.Nullable;

/**
 * What a publisher's threads share: the window of unconfirmed messages, how far it is written, and the channel in use.
 * Everything is guarded by one lock that is never held while a socket is written to, so that confirms are always taken in.
 * Methods take it themselves, unless they say that the caller holds it.
 */
final class PublisherState {

    private final SinkOptions options;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final InFlight inFlight = new InFlight();
    private final Progress progress = new Progress();

    @Nullable private ConfirmingChannel current;

    @Nullable private IOException failure;

    private boolean closed;
    /** Sequence number, on the current channel, of the next message to write. */
    private long nextToWrite = 1;
    /** Up to this sequence number, messages are written one at a time: the broker has closed a channel at one of them. */
    private long suspectsUpTo;

    PublisherState(SinkOptions options) {
        this.options = options;
    }

    /** A message and the channel that it is to be written to. */
    record Outgoing(ConfirmingChannel on, AmqpMessage message) {}

    ReentrantLock lock() {
        return lock;
    }

    // ---- for the task's thread ----

    /** Takes a message into the window; waits while that is full, whatever the reason. */
    void take(AmqpMessage message) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            throwIfFailed();
            while (!inFlight.hasRoom(options.maxInFlight(), options.maxInFlightBytes())) {
                changed.await();
                throwIfFailed();
            }
            add(message);
        } finally {
            lock.unlock();
        }
    }

    void takeOver(Collection<AmqpMessage> messages) {
        lock.lock();
        try {
            messages.forEach(this::add);
        } finally {
            lock.unlock();
        }
    }

    private void add(AmqpMessage message) {
        if (inFlight.isEmpty()) {
            progress.begin();
        }
        inFlight.add(message);
    }

    /**
     * Waits until nothing is unconfirmed, as long as it takes, or as long as a checkpoint shall wait.
     *
     * @return how many messages are unconfirmed still
     */
    int awaitConfirms(boolean forACheckpoint) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            throwIfFailed();
            for (long left = nanosToWait(forACheckpoint); left > 0; left = nanosToWait(forACheckpoint)) {
                var unused = changed.awaitNanos(left);
                throwIfFailed();
            }
            return inFlight.size();
        } finally {
            lock.unlock();
        }
    }

    /** For a checkpoint until the oldest message is as old as the timeout: none waits again for what one before has waited for. */
    private long nanosToWait(boolean forACheckpoint) {
        if (inFlight.isEmpty() || (forACheckpoint && current != null && current.isBlocked())) {
            return 0;
        }
        return forACheckpoint ? options.confirmTimeout().toNanos() - inFlight.oldestAgeNanos() : Long.MAX_VALUE;
    }

    /** All that is unconfirmed, oldest first. */
    List<AmqpMessage> unconfirmed() throws IOException {
        lock.lock();
        try {
            throwIfFailed();
            return inFlight.messages();
        } finally {
            lock.unlock();
        }
    }

    private void throwIfFailed() throws IOException {
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (closed) {
            throw new IOException("The publisher is closed");
        }
    }

    // ---- for writing threads ----

    boolean hasSomethingToWrite() {
        return locked(this::writable);
    }

    /** The next message in order, which counts as written from now on; null if there is none or the broker wants none. */
    @Nullable Outgoing next() {
        lock.lock();
        try {
            ConfirmingChannel on = current;
            if (on == null || !writable()) {
                return null;
            }
            AmqpMessage message = inFlight.at(nextToWrite++);
            return message == null ? null : new Outgoing(on, message);
        } finally {
            lock.unlock();
        }
    }

    private boolean writable() {
        return !closed
                && current != null
                && nextToWrite <= inFlight.lastSequence()
                && !current.isBlocked()
                && (nextToWrite > suspectsUpTo || nextToWrite == inFlight.firstSequence());
    }

    // ---- for the connection's and the maintenance thread ----

    /**
     * Puts a new channel to use: everything unconfirmed will be written to it, in order, before anything new.
     *
     * @return how many messages that repeats; -1 if the publisher is closed
     * @throws IOException if the channel broke already
     */
    int use(ConfirmingChannel fresh) throws IOException {
        lock.lock();
        try {
            if (closed) {
                return -1;
            }
            fresh.throwIfCondemned();
            long written = nextToWrite;
            int repeated = countUpTo(written - 1);
            int suspects = countUpTo(suspectsUpTo);
            inFlight.renumber();
            nextToWrite = 1;
            suspectsUpTo = suspects;
            current = fresh;
            progress.expectConfirms();
            return repeated;
        } finally {
            lock.unlock();
        }
    }

    private int countUpTo(long sequence) {
        int count = 0;
        for (long n = inFlight.firstSequence(); n <= sequence; n++) {
            count += inFlight.at(n) == null ? 0 : 1;
        }
        return count;
    }

    /**
     * After the broker has closed a channel, now abandoned, at a message written on it: that message, if no other can be meant. Else
     * what was written is suspect, and will be repeated one at a time.
     */
    Optional<AmqpMessage> findRefused() {
        lock.lock();
        try {
            AmqpMessage only = null;
            for (long n = inFlight.firstSequence(); n < nextToWrite; n++) {
                AmqpMessage message = inFlight.at(n);
                if (message != null && only != null) {
                    suspectsUpTo = Math.max(suspectsUpTo, nextToWrite - 1);
                    return Optional.empty();
                }
                only = message == null ? only : message;
            }
            return Optional.ofNullable(only);
        } finally {
            lock.unlock();
        }
    }

    /** Another message takes the place of one that was refused, or none does; no other is suspect any more. */
    void replace(AmqpMessage refused, @Nullable AmqpMessage instead) {
        lock.lock();
        try {
            suspectsUpTo = 0;
            for (long n = inFlight.firstSequence(); n <= inFlight.lastSequence(); n++) {
                if (inFlight.at(n) != refused) {
                    continue;
                }
                if (instead == null) {
                    inFlight.remove(n);
                } else {
                    inFlight.replace(n, instead);
                }
                settled();
                return;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether messages are written one at a time, so that each confirm lets the next one go. */
    boolean hasSuspects() {
        return locked(() -> suspectsUpTo >= inFlight.firstSequence());
    }

    /** The oldest message that is unconfirmed. */
    @Nullable AmqpMessage oldest() {
        lock.lock();
        try {
            return inFlight.at(inFlight.firstSequence());
        } finally {
            lock.unlock();
        }
    }

    /** Gives up a channel; false if it is not in use, or the publisher is closed. */
    boolean abandon(ConfirmingChannel on, String why) {
        lock.lock();
        try {
            if (on != current || closed) {
                return false;
            }
            current = null;
            progress.trouble(why);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void trouble(String why) {
        lock.lock();
        try {
            progress.trouble(why);
        } finally {
            lock.unlock();
        }
    }

    /** Wakes all waiting threads; the first reason stays. */
    void fail(IOException cause) {
        lock.lock();
        try {
            if (failure == null) {
                failure = cause;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes; the channel that was in use, if any. */
    @Nullable ConfirmingChannel close() {
        lock.lock();
        try {
            ConfirmingChannel last = current;
            closed = true;
            current = null;
            changed.signalAll();
            return last;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return locked(() -> closed);
    }

    @Nullable ConfirmingChannel current() {
        lock.lock();
        try {
            return current;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        return locked(inFlight::size);
    }

    private <T> T locked(Supplier<T> look) {
        lock.lock();
        try {
            return look.get();
        } finally {
            lock.unlock();
        }
    }

    /** The window itself; the caller holds the lock. */
    InFlight window() {
        return inFlight;
    }

    /** The broker has settled messages; the caller holds the lock. */
    void settled() {
        progress.settled();
        changed.signalAll();
    }

    /** The broker takes no messages: a checkpoint that waits for confirms need not. */
    void blocked() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The broker takes messages again: from now on it should confirm them. */
    void unblocked() {
        lock.lock();
        try {
            progress.expectConfirms();
        } finally {
            lock.unlock();
        }
    }

    /** The channel in use if it has confirmed nothing for too long, though it could; null otherwise. */
    @Nullable ConfirmingChannel silent(long nowNanos) {
        lock.lock();
        try {
            boolean suspect = current != null
                    && !current.isBlocked()
                    && !inFlight.isEmpty()
                    && progress.isSilent(nowNanos, options.confirmTimeout());
            return suspect ? current : null;
        } finally {
            lock.unlock();
        }
    }

    /** How many seconds messages have waited without one being settled, if that is too long; 0 otherwise. */
    long standstillSeconds(long nowNanos) {
        lock.lock();
        try {
            return inFlight.isEmpty()
                    ? 0
                    : progress.standstillSeconds(nowNanos, options.backOff().giveUpAfter());
        } finally {
            lock.unlock();
        }
    }

    /** Why nothing moves, in words. */
    String whyStill() {
        lock.lock();
        try {
            if (current != null && current.isBlocked()) {
                return "the broker blocks the connection: " + current.blockedReason();
            }
            return progress.trouble();
        } finally {
            lock.unlock();
        }
    }
}
