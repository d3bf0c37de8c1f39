package dev.weir.protocol;

import java.time.Instant;

/**
 * A pilot lives. With a job it renews that job's lease; without one it goes to all lanes.
 *
 * @param pool the queue that the pilot serves
 * @param device null means CPU
 * @param node null when not told
 * @param state null means idle without a job and busy with one
 * @param jobUid the job it has; null when idle, and then attempt and route are null too
 */
public record Heartbeat(
        String pilotId,
        String pool,
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
