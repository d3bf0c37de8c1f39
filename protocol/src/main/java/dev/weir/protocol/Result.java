package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * The end of one attempt.
 *
 * @param exitCode of the program; null if it never ran
 * @param errorType null if finished
 * @param fileOutUrl the uploaded output; null if there is none
 * @param fileOutSize in bytes
 * @param fileLogUrl the uploaded log; null if there is none
 * @param fileLogSize in bytes
 */
public record Result(
        String pilotId,
        String pool,
        Instant sentAt,
        String jobUid,
        Integer attempt,
        String route,
        Outcome status,
        Integer exitCode,
        ErrorType errorType,
        String errorMessage,
        String fileOutUrl,
        Long fileOutSize,
        String fileOutChecksum,
        String fileLogUrl,
        Long fileLogSize,
        String fileLogChecksum,
        Instant startedAt,
        Instant endedAt)
        implements Report {

    /** The outcome of the attempt. */
    public enum Outcome {
        @JsonProperty("finished")
        FINISHED,
        @JsonProperty("failed")
        FAILED,
        /** Stopped by a kill notice or for another reason than a cancel. */
        @JsonProperty("killed")
        KILLED,
        /** Stopped by a cancel notice. */
        @JsonProperty("cancelled")
        CANCELLED
    }

    /** Maximum length of a stored error message, in characters. */
    public static final int MAX_ERROR_MESSAGE = Limits.MAX_SENTENCE_LENGTH;

    public Result {
        Check.pilot("pilot_id", pilotId);
        Check.uid("pool", pool);
        Check.uid("job_uid", jobUid);
        Check.within("attempt", Check.required("attempt", attempt), 1, Integer.MAX_VALUE);
        Check.label("route", route);
        Check.required("status", status);
        Check.fileUrl("file_out_url", fileOutUrl);
        Check.fileUrl("file_log_url", fileLogUrl);
        Check.label("file_out_checksum", fileOutChecksum);
        Check.label("file_log_checksum", fileLogChecksum);
        errorMessage = Check.sentence(errorMessage);
        Check.size("file_out_size", fileOutSize);
        Check.size("file_log_size", fileLogSize);
    }
}
