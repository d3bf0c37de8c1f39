package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a pilot does now. */
public enum PilotState {
    @JsonProperty("idle")
    IDLE,
    @JsonProperty("busy")
    BUSY,
    /** Ends after the job that it has. */
    @JsonProperty("draining")
    DRAINING
}
