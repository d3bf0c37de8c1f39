package dev.weir.connectors.rabbitmq.source.consume;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;

/**
 * What the task's thread asks of the broker, on threads of their own. The client waits for an answer without minding an interruption, up to
 * 30 s, and a task that is cancelled must not. The threads end with the calls, which end with the connection.
 */
final class Calls implements AutoCloseable {

    private final ExecutorService threads;

    Calls(String name) {
        threads = Executors.newCachedThreadPool(call -> {
            Thread thread = new Thread(call, name + "-call");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Waits for the answer; false if the waiting is interrupted, or everything is closed. */
    boolean ask(BooleanSupplier question) {
        try {
            return threads.submit(question::getAsBoolean).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A question to the broker failed", e.getCause());
        }
    }

    /** Does not wait; not done if everything is closed. */
    void begin(Runnable call) {
        try {
            threads.execute(call);
        } catch (RejectedExecutionException e) {
            // The connection is closed, and with it whatever was to be done.
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
