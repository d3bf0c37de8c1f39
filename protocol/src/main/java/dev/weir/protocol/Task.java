package dev.weir.protocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A dataset and the program to process it, sent by WFMS (SPD On-Line Filter, table 2).
 *
 * @param uid chosen by WFMS
 * @param executable the program, a name or path on the pilots
 * @param args command-line template; empty by default
 * @param rank importance, 0 to 1000; 1 by default
 * @param retry further attempts of a job after a payload failure, 0 to 100; 0 by default
 * @param datInUid the dataset to read
 * @param datOutUid the dataset to write; one active task only
 * @param datStorUrl the output storage's URL
 * @param datOutUrl the output dataset's directory on that storage
 * @param datStorId the output storage's id at DSM; null: the URL itself is the id
 * @param owner user or group; null if unknown
 * @param order order of the files; sequential by default
 * @param groups limit groups of every file
 * @param targets the files, instead of DSM's; empty: DSM lists the files
 * @param ranker name of the ranker; null: the configured default
 * @param chunkFiles base size of a chunk in files; null: the configured default
 * @param demoteAfterS seconds after which a waiting file falls to a lower priority; null: never
 * @param autoCancel whether more final failures than finished jobs cancel the task; by default true, and false with {@code keepOpenS}
 * @param filesPerJob Merge: files per job, 1 to 10,000; null: all files, at most 10,000
 * @param timeoutS maximum running time of an attempt in seconds; null: the configured default
 * @param pool the pool whose pilots run it; null: the default pool of its device type
 * @param keepOpenS seconds for which its dataset stays open after its last job, for failed ones to be tried again; null: not at all
 */
public record Task(
        String uid,
        String executable,
        String args,
        Double rank,
        DeviceType deviceType,
        Mode mode,
        Integer retry,
        String datInUid,
        String datOutUid,
        String datStorUrl,
        String datOutUrl,
        String datStorId,
        String owner,
        Order order,
        List<String> groups,
        List<FileInfo> targets,
        String ranker,
        Integer chunkFiles,
        Integer demoteAfterS,
        Boolean autoCancel,
        Integer filesPerJob,
        Integer timeoutS,
        String pool,
        Integer keepOpenS) {

    public static final int MAX_CHUNK_FILES = 100_000;
    public static final int MAX_SECONDS = 30 * 24 * 3600;

    /** The same task without the files that came with it. */
    public Task withoutTargets() {
        return new Task(
                uid,
                executable,
                args,
                rank,
                deviceType,
                mode,
                retry,
                datInUid,
                datOutUid,
                datStorUrl,
                datOutUrl,
                datStorId,
                owner,
                order,
                groups,
                List.of(),
                ranker,
                chunkFiles,
                demoteAfterS,
                autoCancel,
                filesPerJob,
                timeoutS,
                pool,
                keepOpenS);
    }

    public Task {
        Check.uid("uid", uid);
        Check.text("executable", executable);
        args = args == null ? "" : args;
        rank = Check.within("rank", rank == null ? 1.0 : rank, Limits.MIN_RANK, Limits.MAX_RANK);
        Check.required("device_type", deviceType);
        Check.required("mode", mode);
        retry = Check.within("retry", retry == null ? 0 : retry, 0, Limits.MAX_RETRY);
        Check.uid("dat_in_uid", datInUid);
        Check.uid("dat_out_uid", datOutUid);
        Check.text("dat_stor_url", datStorUrl);
        Check.text("dat_out_url", datOutUrl);
        if (Urls.leavesItsDirectory(datStorUrl)) {
            // Every output's URL begins with it. A result with such an output is refused, so the task would never
            // close.
            throw new InvalidMessage("dat_stor_url", "dat_stor_url must not contain '..'");
        }
        if (Urls.leavesItsDirectory(datOutUrl)) {
            throw new InvalidMessage("dat_out_url", "dat_out_url must not contain '..', got '" + datOutUrl + "'");
        }
        order = order == null ? Order.SEQUENTIAL : order;
        groups = Check.groups("groups", groups);
        targets = Check.copied("targets", targets);
        if (chunkFiles != null) {
            Check.within("chunk_files", chunkFiles, 1, MAX_CHUNK_FILES);
        }
        if (demoteAfterS != null) {
            Check.within("demote_after_s", demoteAfterS, 1, MAX_SECONDS);
        }
        autoCancel = autoCancel == null ? keepOpenS == null : autoCancel;
        if (filesPerJob != null) {
            Check.within("files_per_job", filesPerJob, 1, Limits.MAX_FILES_PER_JOB);
        }
        if (timeoutS != null) {
            Check.within("timeout_s", timeoutS, 1, MAX_SECONDS);
        }
        Check.optionalUid("pool", pool);
        if (keepOpenS != null) {
            Check.within("keep_open_s", keepOpenS, 1, MAX_SECONDS);
        }
    }

    /**
     * What tells a repetition from another task with the same uid: the message without the place of its output. DSM may have been asked for that, and may
     * answer another time in another way.
     */
    public byte[] content() {
        ObjectNode content = Json.mapper().valueToTree(this);
        return Json.write(content.remove(List.of("dat_stor_id", "dat_stor_url")));
    }

    /** The given pool, or else the default pool of its device type. */
    public String poolName() {
        return pool == null ? Names.pool(deviceType) : pool;
    }

    /** The id of the output storage in registrations: the given id, or else the storage's URL. */
    public String storageId() {
        return datStorId == null ? datStorUrl : datStorId;
    }
}
