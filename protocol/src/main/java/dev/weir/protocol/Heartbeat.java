package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;

/**
 * A pilot's sign of life. With a job it renews the job's lease; without a job it goes to all lanes.
 *
 * @param pool the pool of its job; without a job, its preferred pool
 * @param pools all pools that it serves, at most {@link Limits#MAX_POOLS}; empty if it serves only {@code pool}
 * @param device null means CPU
 * @param node null if unknown
 * @param state null means idle without a job and busy with one
 * @param jobUid its job; null when idle, and then attempt and route are null as well
 */
public record Heartbeat(
        String pilotId,
        String pool,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> pools,
        Instant sentAt,
        Device device,
        NodeInfo node,
        PilotState state,
        String jobUid,
        Integer attempt,
        String route)
        implements Report {

    /** For how long a broker keeps one that {@link #mayExpire}, in milliseconds. Otherwise those of days without Weir would all be read before new results. */
    public static final long LIFE_MILLIS = 600_000;

    public Heartbeat {
        Check.pilot("pilot_id", pilotId);
        Check.uid("pool", pool);
        pools = Check.pools("pools", pools);
        device = device == null ? Device.CPU : device;
        Check.optionalUid("job_uid", jobUid);
        if (jobUid != null) {
            Check.required("attempt", attempt);
        }
        Check.attempt(attempt);
        Check.label("route", route);
        if (state == null) {
            state = jobUid == null ? PilotState.IDLE : PilotState.BUSY;
        }
    }

    /** Whether the next one says the same. The last one of a pilot that ends has no next. */
    public boolean mayExpire() {
        return state != PilotState.DRAINING;
    }
}
