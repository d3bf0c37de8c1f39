package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;

/**
 * A pilot lives. With a job it renews that job's lease; without one it goes to all lanes.
 *
 * @param pool the queue that its job came from; without a job, the one that it prefers
 * @param pools all queues that it serves, at most {@link Limits#MAX_POOLS}; empty when it serves no other than {@code pool}
 * @param device null means CPU
 * @param node null when not told
 * @param state null means idle without a job and busy with one
 * @param jobUid the job it has; null when idle, and then attempt and route are null too
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

    public Heartbeat {
        Check.uid("pilot_id", pilotId);
        Check.uid("pool", pool);
        pools = Check.pools("pools", pools);
        device = device == null ? Device.CPU : device;
        Check.optionalUid("job_uid", jobUid);
        if (jobUid != null) {
            Check.within("attempt", Check.required("attempt", attempt), 1, Integer.MAX_VALUE);
        }
        if (state == null) {
            state = jobUid == null ? PilotState.IDLE : PilotState.BUSY;
        }
    }
}
