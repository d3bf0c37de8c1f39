package dev.weir.pilot;

import dev.weir.pilot.run.Attempt;
import dev.weir.pilot.run.Executables;
import dev.weir.pilot.run.StopSignal;
import dev.weir.pilot.run.StopSignal.Cause;
import dev.weir.pilot.run.Watchdog;
import dev.weir.pilot.storage.HttpHosts;
import dev.weir.pilot.storage.StorageRoots;
import dev.weir.pilot.storage.Storages;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Job;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent. It takes one job, reports {@code starting}, acknowledges the job once the broker has confirmed that, runs it, reports the
 * result, and takes the next; a result is on disk until it is confirmed. A lost connection stops no job: reports wait for the next
 * one. While Weir wants it to take no jobs (a {@code drain} notice) it takes none. It ends when drained (after its job), when stopped (its job is killed and reported so), after a number of jobs or a
 * time without any, or when there has been no connection for too long. When it has ended, no process of its jobs is left.
 *
 * <p>{@link #run} is called once, by one thread; the other methods by any.
 */
public final class Pilot implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Pilot.class);

    /** Bytes of a message that is not a job, in the log. */
    private static final int SHOWN_CHARACTERS = 1024;

    /** Of the random end of a writer's name. */
    private static final int MARK_CHARACTERS = 6;

    /** Longest time from a stop to the end of {@link #run}, beside the waits that the settings give. */
    private static final Duration CLOSE_SLACK = Duration.ofSeconds(30);

    /** Between two looks of a drained pilot at whether it is to end. */
    private static final Duration DRAINED_STEP = Duration.ofMillis(100);

    /** A job as it runs here. */
    private record Current(Job job, StopSignal stop) {}

    private final PilotSettings settings;
    private final Watchdog watchdog;
    private final Executables executables;
    private final Storages storages;
    private final PilotDirectory directory;
    private final Uplink uplink;
    private final Outbox outbox;
    private final DrainOrder drain = new DrainOrder();
    private final Heartbeats heartbeats;
    private final Tally tally = new Tally();
    private final AtomicReference<Current> current = new AtomicReference<>();
    private final AtomicReference<String> ending = new AtomicReference<>();
    private final AtomicReference<String> stopped = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean started;
    private long idleSinceNanos;

    /**
     * Checks the settings, takes the pilot's directory and cleans up after dead pilots in it; connects to nothing yet.
     *
     * @throws IOException when a directory is missing or taken, with what to do
     * @throws IllegalArgumentException when the broker's URL is none
     */
    public Pilot(PilotSettings settings) throws IOException {
        this(settings, new Watchdog());
    }

    Pilot(PilotSettings settings, Watchdog watchdog) throws IOException {
        this.settings = settings;
        this.watchdog = watchdog;
        this.executables = new Executables(settings.run().executables());
        this.storages =
                Storages.standard(new StorageRoots(settings.storageRoots()), new HttpHosts(settings.httpHosts()));
        this.uplink = settings.uplink().uplink(settings.id(), this::hear);
        this.directory = PilotDirectory.open(settings.workDirectory(), settings.id());
        try {
            List<Result> notKept =
                    directory.takeOver(settings.run(), settings.uplink().address());
            this.outbox = new Outbox(directory.outbox());
            notKept.forEach(result -> outbox.keep(result, () -> {}));
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
        this.heartbeats = new Heartbeats(settings, outbox::offer, drain::holds, watchdog::hanging);
    }

    /**
     * Works until the end.
     *
     * @throws IOException when it ended because Weir could not be reached or refused it
     */
    public PilotSummary run() throws IOException {
        started = true;
        try {
            uplink.start(outbox);
            heartbeats.start();
            Thread looks = new Thread(this::lookForDrainFile, "pilot-drain-file");
            looks.setDaemon(true);
            looks.start();
            idleSinceNanos = System.nanoTime();
            while (!isEnding()) {
                if (drain.holds()) {
                    sitOut();
                } else {
                    takeOne();
                }
            }
        } catch (InterruptedException e) {
            stop("interrupted");
            Thread.currentThread().interrupt();
        } finally {
            finish();
        }
        if (uplink.gaveUp() != null) {
            throw new IOException(uplink.gaveUp() + reportsLeft());
        }
        return tally.summary(settings.id(), outbox.unconfirmed(), ending.get());
    }

    private void takeOne() throws InterruptedException {
        Delivery delivery = uplink.take(() -> isEnding() || drain.holds());
        if (delivery != null && drain.holds()) {
            delivery.giveBack();
        } else if (delivery != null) {
            serve(delivery);
            idleSinceNanos = System.nanoTime();
        }
    }

    /** Weir wants it to take nothing: looks now and then whether it is to end, until it may work again. */
    private void sitOut() throws InterruptedException {
        drain.awaitEnd(DRAINED_STEP);
        if (!drain.holds()) {
            heartbeats.now();
        }
    }

    /** Ends it after the job that it has. */
    public void drain(String why) {
        if (ending.compareAndSet(null, why)) {
            LOG.info("Pilot {} drains: {}", settings.id(), why);
            heartbeats.draining();
        }
    }

    /** Ends it now: its job is killed, and reported as such, so that Weir tries it again elsewhere. */
    public void stop(String why) {
        stopped.compareAndSet(null, why);
        Current job = current.get();
        if (job != null) {
            job.stop().request(Cause.SHUTDOWN, "the pilot was stopped: " + why);
        }
        drain(why);
    }

    /** Stops it and waits until it has ended, for a bounded time. */
    @Override
    public void close() {
        stop("closed");
        if (!started) {
            finish();
        }
        Duration longest = settings.run()
                .killGrace()
                .plus(settings.run().stopUpload())
                .plus(settings.closeWait())
                .plus(CLOSE_SLACK);
        try {
            if (!ended.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.error("Pilot {} has not ended after {}", settings.id(), longest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What it has done so far. */
    public PilotSummary summary() {
        return tally.summary(settings.id(), outbox.unconfirmed(), ending.get());
    }

    private boolean isEnding() {
        if (ending.get() != null || uplink.gaveUp() != null) {
            return true;
        }
        Duration idle = Duration.ofNanos(System.nanoTime() - idleSinceNanos);
        if (settings.maxJobs() > 0 && tally.jobs() >= settings.maxJobs()) {
            drain("it has run " + settings.maxJobs() + " jobs");
        } else if (!settings.maxIdle().isZero() && idle.compareTo(settings.maxIdle()) > 0) {
            drain("it had no job for " + settings.maxIdle());
        } else {
            watchdog.begin("the look for the drain file", Duration.ZERO);
            heedDrainFile();
            watchdog.end();
        }
        return ending.get() != null;
    }

    /** Also while a job runs, and in a thread of its own: a disk that does not answer must not hold up heartbeats. */
    private void lookForDrainFile() {
        try {
            while (!ended.await(settings.heartbeat().toNanos(), TimeUnit.NANOSECONDS)) {
                heedDrainFile();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void heedDrainFile() {
        if (directory.hasDrainFile()) {
            drain("its drain file is there");
        }
    }

    private void serve(Delivery delivery) {
        Job job;
        try {
            job = Json.read(delivery.body(), Job.class);
        } catch (InvalidMessage e) {
            String body = new String(delivery.body(), StandardCharsets.UTF_8);
            LOG.error(
                    "Dropped a message of pool {} that is not a job: {}. It begins: {}",
                    delivery.pool(),
                    e.getMessage(),
                    body.substring(0, Math.min(body.length(), SHOWN_CHARACTERS)));
            tally.addRejected();
            delivery.reject();
            return;
        }
        attempt(job, delivery);
    }

    /** The pilot has the job until its result is on disk, and is busy until its files are gone, because both may hang. */
    private void attempt(Job job, Delivery delivery) {
        StopSignal stop = new StopSignal();
        current.set(new Current(job, stop));
        if (stopped.get() != null) {
            stop.request(Cause.SHUTDOWN, "the pilot was stopped: " + stopped.get());
        }
        // One attempt may come twice, also to two processes with one id, and must not overwrite files that Weir has
        // registered.
        String writer = settings.id() + "-" + UUID.randomUUID().toString().substring(0, MARK_CHARACTERS);
        Attempt attempt = new Attempt(
                job, settings.id(), delivery.pool(), writer, executables, storages, settings.run(), stop, watchdog);
        try {
            heartbeats.busy(
                    job,
                    delivery.pool(),
                    () -> outbox.keep(status(job, delivery.pool(), Status.Phase.STARTING), delivery::acknowledge));
            Result result = attempt.run(
                    directory.run(), () -> outbox.keep(status(job, delivery.pool(), Status.Phase.RUNNING), () -> {}));
            watchdog.begin("the keeping of the result", Duration.ZERO);
            boolean kept = outbox.keep(result, () -> {});
            over(job, result);
            attempt.clear(kept);
            if (!kept) {
                // The removal may have made room for it. Weir may see a report twice.
                outbox.keep(result, () -> {});
            }
        } finally {
            watchdog.end();
            current.set(null);
            heartbeats.idle();
        }
    }

    /** Weir knows from the result that the pilot does not have the job any more: no heartbeat may name it, and no notice is about it. */
    private void over(Job job, Result result) {
        current.set(null);
        heartbeats.clearing();
        tally.add(result.status());
        LOG.info(
                "Job {}, attempt {}: {}{}",
                job.uid(),
                job.attempt(),
                result.status(),
                result.errorMessage() == null ? "" : ", " + result.errorMessage());
    }

    private Status status(Job job, String pool, Status.Phase phase) {
        return new Status(settings.id(), pool, Instant.now(), job.uid(), job.attempt(), job.route(), phase);
    }

    private void hear(Notice notice) {
        if (notice.type() == Notice.Kind.DRAIN) {
            if (drain.order(Duration.ofSeconds(notice.leaseS()))) {
                LOG.info("Pilot {} takes no jobs for now: {}", settings.id(), notice.reason());
                heartbeats.now();
            }
        } else if (notice.type() == Notice.Kind.RESUME) {
            if (drain.lift()) {
                LOG.info("Pilot {} takes jobs again: {}", settings.id(), notice.reason());
            }
        } else {
            stopAttempt(notice);
        }
    }

    private void stopAttempt(Notice notice) {
        Current job = current.get();
        boolean meant = job != null
                && job.job().uid().equals(notice.jobUid())
                && job.job().attempt() == notice.attempt();
        if (meant) {
            Cause cause = notice.type() == Notice.Kind.CANCEL ? Cause.CANCEL : Cause.KILL;
            String reason = notice.reason() == null ? "Weir sent a notice without a reason" : notice.reason();
            job.stop().request(cause, reason);
        }
    }

    private void finish() {
        try {
            heartbeats.close();
            if (started && !outbox.awaitConfirmed(settings.closeWait(), uplink::isConnected)) {
                LOG.warn("Pilot {} ends{}", settings.id(), reportsLeft());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            uplink.close();
            directory.close();
            ended.countDown();
        }
    }

    private String reportsLeft() {
        long left = outbox.unconfirmed();
        return left == 0
                ? ""
                : "; " + left + " reports are not confirmed and wait in " + directory.outbox() + " for the next start";
    }
}
