package dev.weir.pilot;

import dev.weir.protocol.Device;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Job;
import dev.weir.protocol.NodeInfo;
import dev.weir.protocol.PilotState;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says at intervals that the pilot lives and what it does; with a job at least four times in its lease. While it hangs it says
 * nothing, so that Weir counts it as lost and gives its job to another.
 */
final class Heartbeats implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private static final int BEATS_IN_LEASE = 4;

    /** For who ends the pilot, and must not hang with it. */
    private static final long MOST_WAIT_MILLIS = 1_000;

    private record Work(Job job, String pool) {}

    private final PilotSettings settings;
    private final Consumer<Heartbeat> out;
    private final BooleanSupplier takesNothing;
    private final Supplier<String> hanging;
    private final NodeInfo node = Node.here();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "pilot-heartbeat");
        thread.setDaemon(true);
        return thread;
    });

    private ScheduledFuture<?> next;
    private Work work;
    private boolean clearing;
    private long lastNanos = System.nanoTime();
    private volatile boolean draining;

    /** What hung at the last look; null when nothing did. */
    private String hung;

    /**
     * @param out takes heartbeats; must not block
     * @param takesNothing whether Weir wants the pilot to take no jobs
     * @param hanging what of its work hangs, in words; null when nothing does
     */
    Heartbeats(
            PilotSettings settings, Consumer<Heartbeat> out, BooleanSupplier takesNothing, Supplier<String> hanging) {
        this.settings = settings;
        this.out = out;
        this.takesNothing = takesNothing;
        this.hanging = hanging;
    }

    synchronized void start() {
        lastNanos = System.nanoTime() - settings.heartbeat().toNanos();
        schedule(settings.heartbeat());
    }

    /**
     * It has a job.
     *
     * @param starting reports that; no heartbeat about the job comes before it, and no other after it
     */
    synchronized void busy(Job job, String pool, Runnable starting) {
        starting.run();
        work = new Work(job, pool);
        Duration inLease = Duration.ofSeconds(job.leaseS()).dividedBy(BEATS_IN_LEASE);
        Duration interval = inLease.compareTo(settings.heartbeat()) < 0 ? inLease : settings.heartbeat();
        schedule(interval);
    }

    /** Its job is over, but not all that it has to do for it: it is busy without a job. */
    synchronized void clearing() {
        work = null;
        clearing = true;
        schedule(settings.heartbeat());
    }

    synchronized void idle() {
        work = null;
        clearing = false;
        schedule(settings.heartbeat());
    }

    /** Reports at once what it does now. */
    void now() {
        beat();
    }

    /** It will end after its job; reports that at once, unless {@link #busy} hangs. */
    void draining() {
        draining = true;
        try {
            timer.submit(this::beatAsPlanned).get(MOST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | RejectedExecutionException | CancellationException e) {
            LOG.debug("The heartbeat that says draining was not sent", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** From the last heartbeat on, not from now: jobs that are shorter than the interval must not put it off again and again. */
    private void schedule(Duration interval) {
        if (next != null) {
            next.cancel(false);
        }
        if (!timer.isShutdown()) {
            long delay = Math.max(0, lastNanos + interval.toNanos() - System.nanoTime());
            next = timer.scheduleAtFixedRate(this::beatAsPlanned, delay, interval.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** A timer ends with the first exception, and the pilot would be silent for good. */
    private void beatAsPlanned() {
        try {
            beat();
        } catch (RuntimeException e) {
            LOG.error("A heartbeat of pilot {} cannot be made", settings.id(), e);
        }
    }

    private synchronized void beat() {
        lastNanos = System.nanoTime();
        if (hangs()) {
            return;
        }
        Device device = settings.device();
        PilotState state = draining || takesNothing.getAsBoolean()
                ? PilotState.DRAINING
                : work == null && !clearing ? PilotState.IDLE : PilotState.BUSY;
        String pool = work == null ? settings.uplink().pools().get(0) : work.pool();
        out.accept(new Heartbeat(
                settings.id(),
                pool,
                settings.uplink().pools().size() == 1 ? null : settings.uplink().pools(),
                Instant.now(),
                device,
                node,
                state,
                work == null ? null : work.job().uid(),
                work == null ? null : work.job().attempt(),
                work == null ? null : work.job().route()));
    }

    private boolean hangs() {
        String before = hung;
        hung = hanging.get();
        if (hung != null && !hung.equals(before)) {
            LOG.error(
                    "Pilot {}{} hangs: {}. It sends no heartbeats meanwhile, so that Weir counts it as lost",
                    settings.id(),
                    work == null
                            ? ""
                            : ", with job " + work.job().uid() + ", attempt "
                                    + work.job().attempt() + ",",
                    hung);
        }
        return hung != null;
    }
}
