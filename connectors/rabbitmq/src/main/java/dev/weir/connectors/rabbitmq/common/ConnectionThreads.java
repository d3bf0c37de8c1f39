package dev.weir.connectors.rabbitmq.common;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Threads for the callbacks of one connection; daemons, so that they never keep a TaskManager from ending. */
public final class ConnectionThreads {

    private ConnectionThreads() {}

    /** One thread: callbacks of a connection run one after the other, in the broker's order. */
    public static ExecutorService daemon(String name) {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, name + "-callbacks");
            thread.setDaemon(true);
            return thread;
        });
    }
}
