package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code job_dat}: a job that has been released at least once, or is known to be cancelled.
 *
 * @param attempt the newest one, from 1
 * @param retries attempts that payload failures used up; {@code systemRetries} those that system failures did
 * @param fileInUrl of the first input for Merge
 */
public record JobRow(
        String uid,
        String taskUid,
        long position,
        JobStatus status,
        int attempt,
        int retries,
        int systemRetries,
        String pool,
        double rank,
        String pilotId,
        String fileInUrl,
        String fileOutUrl,
        String fileLogUrl,
        Integer exitCode,
        ErrorType errorType,
        String errorMessage,
        Instant queuedAt,
        Instant startedAt,
        Instant endedAt,
        long version,
        boolean deleted)
        implements Row {

    public JobRow {
        Check.required("uid", uid);
        Check.required("task_uid", taskUid);
        Check.required("status", status);
    }
}
