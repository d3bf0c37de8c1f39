package dev.weir.pilot.uplink;

import java.util.function.BooleanSupplier;

/**
 * The way from a pilot to Weir and back: jobs and notices come, reports go. It is made again after a loss, with growing pauses, until it is closed or has
 * been down for too long. Safe for use from many threads.
 */
public interface Uplink extends AutoCloseable {

    /** Begins to connect, and to send what is in the outbox; called once. */
    void start(Outbox outbox);

    /** Waits for a job, holding none ahead; null as soon as the caller gives up. Outages are waited out. For one thread. */
    Delivery take(BooleanSupplier givesUp) throws InterruptedException;

    /** Whether reports can leave right now. */
    boolean isConnected();

    /** Why it will not connect any more; null while it tries. */
    String gaveUp();

    @Override
    void close();
}
