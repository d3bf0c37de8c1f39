package dev.weir.chaos.load;

import dev.weir.protocol.Job;
import dev.weir.testing.LightPilots;
import dev.weir.testing.site.Site;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Pilots of the pool {@code cpu} that no fault hits, so that none of their attempts may ever count as lost. */
public final class Crowd implements AutoCloseable {

    private static final int PILOTS = 6;
    private static final Duration USUAL = Duration.ofMillis(200);
    private static final Duration QUICK = Duration.ofMillis(5);

    private final Dispatches dispatches = new Dispatches();
    private final LightPilots pilots;
    private volatile Duration runTime = USUAL;

    /**
     * Starts them.
     *
     * @param heard is told each report that they send, by many threads
     */
    public Crowd(Site site, Consumer<byte[]> heard) {
        pilots = new LightPilots(
                site.broker(),
                "cpu",
                site.jobsQueue("cpu"),
                site.queue("reports"),
                PILOTS,
                Duration.ZERO,
                true,
                this::run,
                heard);
    }

    /** How many jobs they may have at once. */
    public int size() {
        return PILOTS;
    }

    public Dispatches dispatches() {
        return dispatches;
    }

    /** From now on jobs take hardly any time. */
    public void hurry() {
        runTime = QUICK;
    }

    /** From now on jobs take as long as at the begin. */
    public void calm() {
        runTime = USUAL;
    }

    private boolean run(Job job) {
        dispatches.note(job);
        LockSupport.parkNanos(runTime.toNanos());
        String file = job.fileInUrl().substring(job.fileInUrl().lastIndexOf('/') + 1);
        return !file.startsWith(Flock.BAD) && !(file.startsWith(Flock.FLAKY) && job.attempt() == 1);
    }

    @Override
    public void close() throws InterruptedException {
        pilots.close();
    }
}
