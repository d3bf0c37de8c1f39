package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/** The progress of a job at its pilot. The first {@code starting} makes that pilot the job's owner. */
public record Status(
        String pilotId, String pool, Instant sentAt, String jobUid, Integer attempt, String route, Phase status)
        implements Report {

    /** The phase of the job on the pilot. */
    public enum Phase {
        /** The input is being copied to the working disk. */
        @JsonProperty("starting")
        STARTING,
        @JsonProperty("running")
        RUNNING
    }

    public Status {
        Check.pilot("pilot_id", pilotId);
        Check.uid("pool", pool);
        Check.uid("job_uid", jobUid);
        Check.within("attempt", Check.required("attempt", attempt), 1, Integer.MAX_VALUE);
        Check.label("route", route);
        Check.required("status", status);
    }
}
