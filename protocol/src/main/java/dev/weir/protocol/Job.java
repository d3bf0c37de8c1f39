package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * One file, or the inputs of one Merge job, to be processed once by a pilot (SPD On-Line Filter, table 3).
 *
 * @param uid {@code <task uid>.<position>.<16 hex digits>}, derived from task, position and input URL, so that a replay has the same
 * @param rank the task's rank when the job was sent
 * @param taskNum number of jobs of the task; null while the dataset's size is unknown
 * @param fileInUrl the input of a Map job; null for Merge
 * @param fileInUrls the inputs of a Merge job; empty for Map
 * @param fileInSizes of the inputs of a Merge job, in bytes, in their order; empty unless all are known, and ignored unless there are as many as inputs
 * @param fileInSize in bytes; null if unknown
 * @param fileInChecksum from DSM; null if unknown
 * @param attempt from 1
 * @param route opaque; a pilot echoes it in every report about this job
 * @param leaseS seconds of silence after which the job counts as lost
 * @param timeoutS seconds that the program may run
 */
public record Job(
        String uid,
        String executable,
        String args,
        double rank,
        DeviceType deviceType,
        Mode mode,
        String taskUid,
        Long taskNum,
        String fileInUrl,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> fileInUrls,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Long> fileInSizes,
        Long fileInSize,
        String fileInChecksum,
        String fileOutUrl,
        String fileLogUrl,
        int attempt,
        String route,
        int leaseS,
        int timeoutS) {

    public Job {
        Check.uid("uid", uid);
        Check.bytes("executable", Check.text("executable", executable), Limits.MAX_URL_BYTES);
        args = args == null ? "" : args;
        Check.bytes("args", args, Limits.MAX_ARGS_BYTES);
        Check.required("device_type", deviceType);
        Check.required("mode", mode);
        Check.uid("task_uid", taskUid);
        fileInUrls = Check.copied("file_in_urls", fileInUrls);
        if (mode == Mode.MAP) {
            Check.text("file_in_url", fileInUrl);
        } else if (fileInUrls.isEmpty()) {
            throw new InvalidMessage("file_in_urls", "a Merge job needs at least one input file");
        }
        Check.atMost("file_in_urls", fileInUrls, Limits.MAX_FILES_PER_JOB);
        Check.fileUrl("file_in_url", fileInUrl);
        fileInUrls.forEach(url -> Check.fileUrl("file_in_urls", url));
        fileInSizes = Check.copied("file_in_sizes", fileInSizes);
        Check.atMost("file_in_sizes", fileInSizes, Limits.MAX_FILES_PER_JOB);
        for (int i = 0; i < fileInSizes.size(); i++) {
            Check.size("file_in_sizes[" + i + "]", fileInSizes.get(i));
        }
        Check.within("rank", rank, Limits.MIN_RANK, Limits.MAX_RANK);
        Check.size("task_num", taskNum);
        Check.size("file_in_size", fileInSize);
        Check.label("file_in_checksum", fileInChecksum);
        Check.fileUrl("file_out_url", Check.text("file_out_url", fileOutUrl));
        Check.fileUrl("file_log_url", Check.text("file_log_url", fileLogUrl));
        Check.label("route", route);
        Check.within("attempt", attempt, 1, Integer.MAX_VALUE);
        Check.within("lease_s", leaseS, 1, Task.MAX_SECONDS);
        Check.within("timeout_s", timeoutS, 1, Task.MAX_SECONDS);
    }
}
