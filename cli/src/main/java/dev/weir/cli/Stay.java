package dev.weir.cli;

import dev.weir.cli.embedded.WeirJobs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;

/** The wait of a command after it has submitted its jobs: until they run, and then until it is interrupted. */
final class Stay {

    /** Time after which it reports that not all tasks run; Flink continues to start them. */
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private Stay() {}

    /**
     * Returns when interrupted; throws when a job has ended.
     *
     * @param out for messages to people; null for none
     * @param howToStop a sentence about how to stop the command
     * @param err for tasks that do not run yet
     * @param log the file with the reason when a job has ended
     */
    static int untilInterrupted(
            WeirJobs jobs, Interruption interruption, PrintWriter out, String howToStop, PrintWriter err, Path log)
            throws IOException, InterruptedException {
        interruption.ready();
        boolean running;
        try {
            running = jobs.awaitRunning(START_LIMIT, line -> err.println(line + "; details are in " + log));
        } catch (InterruptedException e) {
            if (!interruption.isSignalled()) {
                throw e;
            }
            running = false;
        }
        if (!interruption.isSignalled() && out != null && !jobs.firstEnd().isDone()) {
            out.println((running
                            ? "Weir runs. "
                            : "Not all tasks of Weir run yet. Flink continues to start them; its web UI and " + log
                                    + " show which are missing. ")
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
