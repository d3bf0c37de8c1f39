package dev.weir.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import sun.misc.Signal;

/**
 * Ctrl-C, and {@code kill} without -9, as a request to stop in order. Caught before the JVM starts its shutdown hooks, because
 * Flink's and the broker's would take away what an orderly stop still needs. The third one ends the process at once.
 */
final class Interruption {

    private static final int PATIENCE = 3;
    static final int EXIT_CODE = 130;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final AtomicInteger signals = new AtomicInteger();
    private final Thread main = Thread.currentThread();

    private volatile boolean awaited;

    private Interruption() {}

    /** From here on signals end in this object; the thread that calls this is interrupted by the first one. */
    static Interruption watch() {
        Interruption interruption = new Interruption();
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            Signal.handle(new Signal(signal), number -> interruption.arrived());
        }
        return interruption;
    }

    private void arrived() {
        int count = signals.incrementAndGet();
        if (count == 1) {
            // Before the latch opens: afterwards it would hit the orderly stop.
            main.interrupt();
        } else if (count >= PATIENCE) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        request();
    }

    /** Ends {@link #await} without a signal. */
    void request() {
        requested.countDown();
    }

    /** Whether a signal came. */
    boolean isSignalled() {
        return signals.get() > 0;
    }

    /** Whether a signal came before anybody waited for it: what was being started is broken off, which is no failure of its own. */
    boolean isBeforeReady() {
        return isSignalled() && !awaited;
    }

    /** Waits, however long that takes; afterwards the thread is not interrupted. */
    void await() {
        awaited = true;
        boolean waiting = true;
        while (waiting) {
            try {
                requested.await();
                waiting = false;
            } catch (InterruptedException e) {
                // By the signal itself: the latch opens now.
            }
        }
        clear();
    }

    /** What follows is the orderly stop, which the interrupt is not to disturb. */
    void clear() {
        Thread.interrupted();
    }
}
