package dev.weir.pilot;

import dev.weir.pilot.broker.Outbox;
import dev.weir.protocol.Device;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.PilotState;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Says at intervals that the pilot lives and what it does; with a job at least four times in its lease. */
final class Heartbeats implements AutoCloseable {

    private static final int BEATS_IN_LEASE = 4;

    private record Work(Job job, String pool) {}

    private final PilotSettings settings;
    private final Outbox outbox;
    private final BooleanSupplier takesNothing;
    private final NodeInfo node = Node.here();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pilot-heartbeat");
        thread.setDaemon(true);
        return thread;
    });

    private ScheduledFuture<?> next;
    private Work work;
    private boolean draining;

    /** @param takesNothing whether Weir wants the pilot to take no jobs */
    Heartbeats(PilotSettings settings, Outbox outbox, BooleanSupplier takesNothing) {
        this.settings = settings;
        this.outbox = outbox;
        this.takesNothing = takesNothing;
    }

    synchronized void start() {
        schedule(Duration.ZERO, settings.heartbeat());
    }

    synchronized void busy(Job job, String pool) {
        work = new Work(job, pool);
        Duration inLease = Duration.ofSeconds(job.leaseS()).dividedBy(BEATS_IN_LEASE);
        Duration interval = inLease.compareTo(settings.heartbeat()) < 0 ? inLease : settings.heartbeat();
        // The starting report says what a heartbeat would say now.
        schedule(interval, interval);
    }

    synchronized void idle() {
        work = null;
        schedule(settings.heartbeat(), settings.heartbeat());
    }

    /** Reports at once what it does now. */
    void now() {
        beat();
    }

    /** It will end after its job; reports that at once. */
    synchronized void draining() {
        draining = true;
        beat();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void schedule(Duration delay, Duration interval) {
        if (next != null) {
            next.cancel(false);
        }
        if (!timer.isShutdown()) {
            next = timer.scheduleAtFixedRate(this::beat, delay.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void beat() {
        Device device = settings.device();
        PilotState state = draining || takesNothing.getAsBoolean()
                ? PilotState.DRAINING
                : work == null ? PilotState.IDLE : PilotState.BUSY;
        String pool = work == null ? settings.broker().pools().get(0) : work.pool();
        outbox.offer(new Heartbeat(
                settings.id(),
                pool,
                settings.broker().pools().size() == 1 ? null : settings.broker().pools(),
                Instant.now(),
                device,
                node,
                state,
                work == null ? null : work.job().uid(),
                work == null ? null : work.job().attempt(),
                work == null ? null : work.job().route()));
    }
}
