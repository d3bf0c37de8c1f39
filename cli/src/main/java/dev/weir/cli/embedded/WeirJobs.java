package dev.weir.cli.embedded;

import dev.weir.job.start.StartFrom;
import dev.weir.job.start.WaysOut;
import dev.weir.job.start.WeirJob;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;

/** The jobs on one embedded cluster. */
public final class WeirJobs implements AutoCloseable {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final List<RunningJob> jobs;

    WeirJobs(List<RunningJob> jobs) {
        this.jobs = List.copyOf(jobs);
    }

    /** Starts the jobs that are switched on. Queues and tables must exist. */
    public static WeirJobs submit(EmbeddedFlink flink, Configuration configuration, StartFrom from, WaysOut waysOut)
            throws IOException {
        List<WeirJob> wanted = WeirJob.of(configuration);
        StartFrom all = from.withFlinksOwn(configuration, wanted);
        List<RunningJob> jobs = new ArrayList<>();
        for (WeirJob job : wanted) {
            jobs.add(flink.submit(job, configuration, all, waysOut));
        }
        return new WeirJobs(jobs);
    }

    public List<RunningJob> all() {
        return jobs;
    }

    /**
     * Waits until every Flink task of the jobs runs, a job has ended, or the limit is over, and reports the missing tasks every ten
     * seconds. The usual cause is the disk: each task with state opens its database first.
     *
     * @param tell receives messages for people, one line at a time
     * @return whether all tasks run
     */
    public boolean awaitRunning(Duration limit, Consumer<String> tell) throws InterruptedException {
        return awaitRunning(limit, PATIENCE, tell);
    }

    boolean awaitRunning(Duration limit, Duration patience, Consumer<String> tell) throws InterruptedException {
        Instant start = Instant.now();
        Instant toTell = start.plus(patience);
        while (true) {
            List<String> missing =
                    jobs.stream().flatMap(job -> job.tasksNotRunning().stream()).toList();
            if (missing.isEmpty()) {
                return true;
            }
            Instant now = Instant.now();
            if (now.isAfter(toTell)) {
                long others = missing.size() - 1;
                tell.accept("Flink's tasks do not all run after "
                        + Duration.between(start, now).toSeconds() + " s: " + missing.get(0)
                        + (others == 0 ? "" : ", and " + others + " more") + ". " + reason());
                toTell = now.plus(patience);
            }
            if (now.isAfter(start.plus(limit)) || hasEnded(LOOK)) {
                return false;
            }
        }
    }

    private String reason() {
        return jobs.stream()
                .flatMap(job ->
                        job.failure().stream().map(why -> "Job " + job.name() + " has failed and restarts: " + why))
                .findFirst()
                .orElse("A busy disk is the usual reason");
    }

    /** Waits for the end of a job; false if none ends within this time. */
    private boolean hasEnded(Duration limit) throws InterruptedException {
        try {
            firstEnd().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a job's end cannot be waited for", e);
        }
    }

    /** Completes with the name of the first job that ends. A job that was not stopped ends only after a permanent failure. */
    public CompletableFuture<String> firstEnd() {
        return CompletableFuture.anyOf(jobs.stream()
                        .map(job -> job.result().handle((result, failure) -> job.name()))
                        .toArray(CompletableFuture[]::new))
                .thenApply(String.class::cast);
    }

    /** Stops the schedule job first, so that the mirror receives its last changes. */
    @Override
    public void close() throws InterruptedException {
        for (RunningJob job : jobs) {
            job.stop(STOP_LIMIT);
        }
    }
}
