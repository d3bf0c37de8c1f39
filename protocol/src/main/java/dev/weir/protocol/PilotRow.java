package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A row of {@code pilot_dat}.
 *
 * @param state at its last report, or lost
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
        Integer gpus,
        State state,
        String jobUid,
        long finished,
        long failed,
        Instant lastSeenAt,
        Instant setAsideUntil,
        long version,
        boolean deleted)
        implements Row {

    /** As readers see a pilot. */
    public enum State {
        @JsonProperty("idle")
        IDLE,
        @JsonProperty("busy")
        BUSY,
        @JsonProperty("draining")
        DRAINING,
        /** Not heard for a lease: it has ended, or died. */
        @JsonProperty("lost")
        LOST;

        /** @param state null when it counts as gone */
        public static State of(PilotState state) {
            if (state == null) {
                return LOST;
            }
            return switch (state) {
                case IDLE -> IDLE;
                case BUSY -> BUSY;
                case DRAINING -> DRAINING;
            };
        }
    }

    public PilotRow {
        Check.label("pilot_id", Check.required("pilot_id", pilotId));
        Check.label("pool", pool);
        Check.label("job_uid", jobUid);
        host = host == null ? null : Texts.first(host, Limits.MAX_LABEL_LENGTH);
    }
}
