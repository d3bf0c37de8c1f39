package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * A row of {@code pilot_dat}.
 *
 * @param pool null when nothing is known of it but an order to keep it out: such a row changes only {@code keptOut}
 * @param state at its last report, or lost, or ended; null without a pool
 * @param jobUid its current job; null when idle
 * @param setAsideUntil end of the time in which it gets no jobs, because its jobs kept failing or it was excluded; null if it may get jobs
 * @param keptOut the order of an operator by which it gets no jobs; null for none
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
        KeptOut keptOut,
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
        /** Not heard for a lease, although it did not say that it would end. */
        @JsonProperty("lost")
        LOST,
        /** Not heard for a lease; it was draining, and had no job. */
        @JsonProperty("ended")
        ENDED;

        public static State of(PilotState state) {
            return switch (state) {
                case IDLE -> IDLE;
                case BUSY -> BUSY;
                case DRAINING -> DRAINING;
            };
        }
    }

    /** What an operator has ordered. */
    public enum KeptOut {
        @JsonProperty("drained")
        DRAINED,
        @JsonProperty("excluded")
        EXCLUDED
    }

    public PilotRow {
        Check.label("pilot_id", Check.required("pilot_id", pilotId));
        Check.label("pool", pool);
        Check.label("job_uid", jobUid);
        host = host == null ? null : Texts.first(host, Limits.MAX_LABEL_LENGTH);
    }
}
