package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The state of a pilot. */
public enum PilotState {
    @JsonProperty("idle")
    IDLE,
    @JsonProperty("busy")
    BUSY,
    /** Finishes its job and takes no other. */
    @JsonProperty("draining")
    DRAINING
}
