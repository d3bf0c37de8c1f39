package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A row of {@code file_dat}: an output or log that was made on a pilot.
 *
 * @param id stable: from job, attempt and kind
 * @param path on its storage, with the file name; null for an output that is missing
 * @param status Failed: there is no output, for whatever reason (seed 002, table 9)
 */
public record FileRow(
        String id,
        String taskUid,
        String jobUid,
        int attempt,
        String datasetUid,
        Kind kind,
        Status status,
        String path,
        String storageId,
        Long size,
        String checksum,
        Instant registeredAt,
        long version,
        boolean deleted)
        implements Row {

    /** Which of an attempt's two files it is. */
    public enum Kind {
        @JsonProperty("output")
        OUTPUT,
        @JsonProperty("log")
        LOG
    }

    /** Seed 002, table 9. */
    public enum Status {
        @JsonProperty("Finished")
        FINISHED,
        @JsonProperty("Failed")
        FAILED
    }

    public FileRow {
        Check.required("id", id);
        Check.required("task_uid", taskUid);
        Check.required("job_uid", jobUid);
        Check.required("kind", kind);
        Check.required("status", status);
    }
}
