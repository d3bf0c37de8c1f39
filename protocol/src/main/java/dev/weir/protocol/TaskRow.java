package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code task_dat}.
 *
 * @param state waiting for a slot counts as {@code accepted}
 * @param rank the present, evolved rank, which grows while the task waits for a slot; {@code baseRank} is the one that WFMS gave
 * @param why one word for why nothing of it starts now; null while it runs freely
 * @param whyText the same as a sentence
 * @param reason why it was rejected, cancelled or failed
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
