package dev.weir.connectors.rabbitmq.sink.publish;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Threads that never keep a TaskManager from ending. */
final class DaemonThreads {

    private DaemonThreads() {}

    static ScheduledExecutorService scheduler(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
