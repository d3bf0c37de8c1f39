package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code pilot_dat}.
 *
 * @param state as last heard; null once it counts as gone
 * @param jobUid what it works on; null when idle
 * @param setAsideUntil until when it gets no work because its jobs kept failing, or it was excluded; null when it may
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
        Check.required("pilot_id", pilotId);
    }
}
