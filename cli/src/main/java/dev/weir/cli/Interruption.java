package dev.weir.cli;

import java.util.concurrent.CountDownLatch;
import sun.misc.Signal;

/**
 * Ctrl-C and {@code kill} without -9 as requests for an orderly stop. They are caught before the JVM starts its shutdown hooks, because
 * those of Flink and the broker would remove what the stop still needs. The third signal ends the process at once.
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

    /** Handles signals from now on; the first one interrupts the calling thread. */
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
            // Before the latch opens: a later interrupt would hit the orderly stop.
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

    /** Whether a signal came before {@link #ready}: the start was interrupted, which is not a failure. */
    synchronized boolean isBeforeReady() {
        return isSignalled() && !ready;
    }

    /** The start is complete: from now on a signal is the regular end of this command. */
    synchronized void ready() {
        ready = true;
    }

    /** Waits without a limit for a signal or the end of the wait without one; afterwards this is {@link #stopping}. */
    void await() {
        boolean waiting = true;
        while (waiting) {
            try {
                requested.await();
                waiting = false;
            } catch (InterruptedException e) {
                // Interrupted by the signal: the latch opens now.
            }
        }
        stopping();
    }

    /** Begins the orderly stop. Earlier and later signals do not interrupt it, except that the third one ends the process. */
    synchronized void stopping() {
        stopping = true;
        Thread.interrupted();
    }
}
