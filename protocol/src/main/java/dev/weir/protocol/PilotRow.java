package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code pilot_dat}.
 *
 * @param state at its last report; null once it counts as gone
 * @param jobUid its current job; null when idle
 * @param setAsideUntil end of the time in which it gets no jobs, because its jobs kept failing or it was excluded; null if it may get jobs
 */
public record PilotRow(
        String pilotId,
        String pool,
        Device device,
        String host,
        Integer cores,
        Long memory,
        PilotState state,
        String jobUid,
        long finished,
        long failed,
        Instant lastSeenAt,
        Instant setAsideUntil,
        long version,
        boolean deleted)
        implements Row {

    public PilotRow {
        Check.label("pilot_id", Check.required("pilot_id", pilotId));
        Check.label("pool", pool);
        Check.label("job_uid", jobUid);
        host = host == null ? null : Texts.first(host, Limits.MAX_LABEL_LENGTH);
    }
}
