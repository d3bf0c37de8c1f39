package dev.weir.cli;

import dev.weir.cli.embedded.WeirJobs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;

/** What a command does once its jobs are submitted: it waits for them to run, says so, and stays until it is interrupted. */
final class Stay {

    /** How long it waits before it says that not everything runs yet; Flink goes on starting it. */
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private Stay() {}

    /**
     * Until interrupted, or until a job has ended, which is a failure.
     *
     * @param out for people; null when nobody reads it
     * @param howToStop a sentence for them
     * @param err for what is missing while the jobs start
     * @param log the file that says why a job has ended
     */
    static int untilInterrupted(
            WeirJobs jobs, Interruption interruption, PrintWriter out, String howToStop, PrintWriter err, Path log)
            throws IOException, InterruptedException {
        interruption.ready();
        boolean running;
        try {
            running = jobs.awaitRunning(START_LIMIT, line -> err.println(line + "; more is in " + log));
        } catch (InterruptedException e) {
            if (!interruption.isSignalled()) {
                throw e;
            }
            running = false;
        }
        if (!interruption.isSignalled() && out != null && !jobs.firstEnd().isDone()) {
            out.println((running
                            ? "Weir runs. "
                            : "Weir does not run as a whole yet; Flink goes on starting it, and its web UI and " + log
                                    + " say what is missing. ")
                    + howToStop);
            out.flush();
        }
        var unused = jobs.firstEnd().thenRun(interruption::request);
        interruption.await();
        if (!interruption.isSignalled()) {
            throw new IOException("Flink job " + jobs.firstEnd().join() + " has ended; the reason is in " + log);
        }
        err.println("Stopping ...");
        return 0;
    }
}
