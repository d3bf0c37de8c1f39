package dev.weir.cli;

import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/**
 * Ctrl-C, and {@code kill} without -9, as a request to stop in order. Caught before the JVM starts its shutdown hooks, because
 * Flink's and the broker's would take away what an orderly stop still needs. The third one ends the process at once.
 */
final class Interruption {

    private static final int PATIENCE = 3;
    static final int EXIT_CODE = 130;

    private final CountDownLatch requested = new CountDownLatch(1);
    private final Thread main = Thread.currentThread();

    private int signals;
    private boolean ready;
    private boolean stopping;

    private Interruption() {}

    /** From here on signals end in this object; the thread that calls this is interrupted by the first one. */
    static Interruption watch() {
        Interruption interruption = new Interruption();
        for (String signal : new String[] {"INT", "TERM", "HUP"}) {
            Signal.handle(new Signal(signal), number -> interruption.arrived());
        }
        return interruption;
    }

    private synchronized void arrived() {
        signals++;
        if (signals >= PATIENCE) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
        if (signals == 1 && !stopping) {
            // Before the latch opens: afterwards it would hit the orderly stop.
            main.interrupt();
        }
        request();
    }

    /** Ends {@link #await} without a signal. */
    void request() {
        requested.countDown();
    }

    /** Whether a signal came. */
    synchronized boolean isSignalled() {
        return signals > 0;
    }

    /** Whether a signal came before {@link #ready}: what was being started is broken off, which is no failure of its own. */
    synchronized boolean isBeforeReady() {
        return isSignalled() && !ready;
    }

    /** From here on a signal is what ends this command, as it should be. */
    synchronized void ready() {
        ready = true;
    }

    /** Waits, however long that takes; afterwards this is {@link #stopping}. */
    void await() {
        boolean waiting = true;
        while (waiting) {
            try {
                requested.await();
                waiting = false;
            } catch (InterruptedException e) {
                // By the signal itself: the latch opens now.
            }
        }
        stopping();
    }

    /** What follows is the orderly stop, which no signal is to disturb, neither one that came nor one that comes; but the third still ends it. */
    synchronized void stopping() {
        stopping = true;
        Thread.interrupted();
    }
}
