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
        Check.label("uid", Check.required("uid", uid));
        Check.within("rank", rank, Limits.MIN_RANK, Limits.MAX_RANK);
        Check.within("base_rank", baseRank, Limits.MIN_RANK, Limits.MAX_RANK);
        Check.within("weight", weight, Limits.MIN_WEIGHT, Limits.MAX_WEIGHT);
        Check.within("retry", retry, 0, Limits.MAX_RETRY);
        Check.label("pool", pool);
        Check.label("dat_in_uid", datInUid);
        Check.label("dat_out_uid", datOutUid);
        Check.label("why", why);
        Check.fileUrl("executable", executable);
        Check.fileUrl("dat_stor_url", datStorUrl);
        Check.fileUrl("dat_out_url", datOutUrl);
        if (args != null) {
            Check.bytes("args", args, Limits.MAX_ARGS_BYTES);
        }
        owner = owner == null ? null : Texts.first(owner, Limits.MAX_LABEL_LENGTH);
        whyText = Check.sentence(whyText);
        reason = Check.sentence(reason);
        Check.required("state", state);
        Check.required("counts", counts);
    }
}
