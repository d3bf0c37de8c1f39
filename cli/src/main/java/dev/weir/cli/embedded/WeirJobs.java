package dev.weir.cli.embedded;

import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WaysOut;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;

/** The schedule job and the mirror job on one embedded cluster. */
public final class WeirJobs implements AutoCloseable {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

    private final List<RunningJob> jobs;

    private WeirJobs(List<RunningJob> jobs) {
        this.jobs = List.copyOf(jobs);
    }

    /** Starts both jobs, or only the first if the mirror is switched off. Queues and tables must be there. */
    public static WeirJobs submit(EmbeddedFlink flink, Configuration configuration, StartFrom from, WaysOut waysOut)
            throws IOException {
        StartFrom all = from.withFlinksOwn(configuration);
        List<RunningJob> jobs = new ArrayList<>();
        for (WeirJob job : WeirJob.of(configuration)) {
            jobs.add(flink.submit(job, configuration, all, waysOut));
        }
        return new WeirJobs(jobs);
    }

    public List<RunningJob> all() {
        return jobs;
    }

    public boolean areRunning() {
        return jobs.stream().allMatch(RunningJob::isRunning);
    }

    /** Completes with the name of the first job that ends, which none does unasked unless something is wrong for good. */
    public CompletableFuture<String> firstEnd() {
        return CompletableFuture.anyOf(jobs.stream()
                        .map(job -> job.result().handle((result, failure) -> job.name()))
                        .toArray(CompletableFuture[]::new))
                .thenApply(String.class::cast);
    }

    /** Stops the schedule job first, so that the mirror still hears its last changes. */
    @Override
    public void close() throws InterruptedException {
        for (RunningJob job : jobs) {
            job.stop(STOP_LIMIT);
        }
    }
}
