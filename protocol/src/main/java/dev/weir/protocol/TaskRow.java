package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code task_dat}.
 *
 * @param state waiting for a slot counts as {@code accepted}
 * @param rank the present rank, which grows while the task waits for a slot; {@code baseRank} is the rank set by WFMS or a command
 * @param why the reason why none of its files starts now, in one word; null while files start
 * @param whyText the same reason as a sentence
 * @param reason of the rejection, cancellation or failure
 */
public record TaskRow(
        String uid,
        TaskState state,
        double rank,
        double baseRank,
        int weight,
        String pool,
        DeviceType deviceType,
        Mode mode,
        Order order,
        String executable,
        String args,
        int retry,
        String datInUid,
        String datOutUid,
        String datStorUrl,
        String datOutUrl,
        String owner,
        JobCounts counts,
        String why,
        String whyText,
        boolean canceled,
        String reason,
        Instant acceptedAt,
        Instant closedAt,
        long version,
        boolean deleted)
        implements Row {

    public TaskRow {
        Check.required("uid", uid);
        Check.required("state", state);
        Check.required("counts", counts);
    }
}
