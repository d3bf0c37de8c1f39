package dev.weir.cli.embedded;

import dev.weir.job.MirrorJob;
import dev.weir.job.ScheduleJob;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;

/** The schedule job and the mirror job on one embedded cluster. */
public final class WeirJobs implements AutoCloseable {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    private final RunningJob schedule;
    private final RunningJob mirror;

    private WeirJobs(RunningJob schedule, RunningJob mirror) {
        this.schedule = schedule;
        this.mirror = mirror;
    }

    /**
     * Starts both.
     *
     * @param fresh true: both start empty; what they left before is set aside
     */
    public static WeirJobs submit(EmbeddedFlink flink, Configuration configuration, boolean fresh) throws IOException {
        RunningJob schedule = flink.submit("schedule", configuration, ScheduleJob::define, fresh);
        RunningJob mirror = flink.submit("mirror", configuration, MirrorJob::define, fresh);
        return new WeirJobs(schedule, mirror);
    }

    public List<RunningJob> all() {
        return List.of(schedule, mirror);
    }

    public boolean areRunning() {
        return schedule.isRunning() && mirror.isRunning();
    }

    /** Completes with the name of the first job that ends, which neither does unasked unless something is wrong for good. */
    public CompletableFuture<String> firstEnd() {
        return CompletableFuture.anyOf(
                        schedule.result().thenApply(result -> schedule.name()),
                        mirror.result().thenApply(result -> mirror.name()))
                .thenApply(String.class::cast);
    }

    /** Stops the schedule job first, so that the mirror still hears its last changes. */
    @Override
    public void close() throws InterruptedException {
        schedule.stop(STOP_LIMIT);
        mirror.stop(STOP_LIMIT);
    }
}
