package dev.weir.chaos.load;

import java.util.ArrayList;
import java.util.List;

/** Threads of one traffic. */
final class Crew {

    private static final int CLOSE_MILLIS = 30_000;

    private final List<Thread> threads = new ArrayList<>();

    /** Work until interrupted. */
    interface Work {
        void run() throws InterruptedException;
    }

    void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    boolean isAlive(String name) {
        return threads.stream().anyMatch(thread -> thread.getName().equals(name) && thread.isAlive());
    }

    /** Interrupts all, and waits for each at most half a minute. */
    void close() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join(CLOSE_MILLIS);
        }
    }
}
