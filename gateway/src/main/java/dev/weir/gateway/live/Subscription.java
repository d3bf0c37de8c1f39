package dev.weir.gateway.live;

import java.util.function.Consumer;

/** What one client has not been told yet. However slow the client is, this is one change. */
public final class Subscription implements AutoCloseable {

    private final Consumer<Subscription> whenClosed;
    private Change pending;
    private boolean closed;

    Subscription(Consumer<Subscription> whenClosed) {
        this.whenClosed = whenClosed;
    }

    synchronized void offer(Change change) {
        pending = pending == null ? change : pending.and(change);
        notifyAll();
    }

    /** The next change, at most so many milliseconds later; null when there is none, or when this was closed. */
    public synchronized Change take(long millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000;
        while (pending == null && !closed) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return null;
            }
            wait(left);
        }
        Change change = pending;
        pending = null;
        return change;
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        whenClosed.accept(this);
    }
}
