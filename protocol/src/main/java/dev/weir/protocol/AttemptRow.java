package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code attempt_dat}: an attempt that ended, and its job has not finished with it. The row of the job shows the next attempt from when that is sent.
 *
 * @param attempt from 1
 * @param status Failed, or Killed when it was stopped
 * @param pilotId where it ran; null when not known
 * @param fileLogUrl its log; null when it left none
 * @param startedAt null when no pilot told of its start
 * @param endedAt when Weir learnt of its end
 */
public record AttemptRow(
        String jobUid,
        int attempt,
        String taskUid,
        JobStatus status,
        String pilotId,
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

    public AttemptRow {
        Check.label("job_uid", Check.required("job_uid", jobUid));
        Check.label("task_uid", Check.required("task_uid", taskUid));
        Check.required("status", status);
        Check.label("pilot_id", pilotId);
        Check.fileUrl("file_log_url", fileLogUrl);
        errorMessage = Check.sentence(errorMessage);
        Check.required("ended_at", endedAt);
    }
}
