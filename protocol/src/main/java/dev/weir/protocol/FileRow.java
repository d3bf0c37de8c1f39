package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A row of {@code file_dat}: an output or log of an attempt.
 *
 * @param id stable: {@code <job uid>/<attempt>/out} or {@code <job uid>/<attempt>/log}
 * @param path on its storage, with the file name; null for a missing output
 * @param status Failed: the job ended without an output (SPD On-Line Filter, table 9)
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

    /** The kind of file. */
    public enum Kind {
        @JsonProperty("output")
        OUTPUT,
        @JsonProperty("log")
        LOG
    }

    /** The states of a file (SPD On-Line Filter, table 9). */
    public enum Status {
        @JsonProperty("Finished")
        FINISHED,
        @JsonProperty("Failed")
        FAILED
    }

    public FileRow {
        Check.label("id", Check.required("id", id));
        Check.label("task_uid", Check.required("task_uid", taskUid));
        Check.label("job_uid", Check.required("job_uid", jobUid));
        Check.label("dataset_uid", datasetUid);
        Check.fileUrl("path", path);
        Check.fileUrl("storage_id", storageId);
        Check.label("checksum", checksum);
        Check.required("kind", kind);
        Check.required("status", status);
    }
}
