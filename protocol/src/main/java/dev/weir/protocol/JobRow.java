package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code job_dat}: a job that was sent at least once, or was cancelled.
 *
 * @param attempt the newest attempt, from 1
 * @param retries attempts that ended with payload failures; {@code systemRetries}: with system failures
 * @param fileInUrl the input; for Merge the first one
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
        Check.label("uid", Check.required("uid", uid));
        Check.label("task_uid", Check.required("task_uid", taskUid));
        Check.within("rank", rank, Limits.MIN_RANK, Limits.MAX_RANK);
        Check.label("pool", pool);
        Check.label("pilot_id", pilotId);
        Check.fileUrl("file_in_url", fileInUrl);
        Check.fileUrl("file_out_url", fileOutUrl);
        Check.fileUrl("file_log_url", fileLogUrl);
        errorMessage = Check.sentence(errorMessage);
        Check.required("status", status);
    }
}
