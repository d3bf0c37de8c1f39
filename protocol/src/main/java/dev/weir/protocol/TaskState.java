package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The states of a task in events to WFMS; the routing key of an event is {@code task.<state>}. */
public enum TaskState {
    @JsonProperty("accepted")
    ACCEPTED,
    @JsonProperty("rejected")
    REJECTED,
    @JsonProperty("active")
    ACTIVE,
    @JsonProperty("paused")
    PAUSED,
    @JsonProperty("cancelled")
    CANCELLED,
    @JsonProperty("closed")
    CLOSED,
    @JsonProperty("failed")
    FAILED;

    /** The spelling on the wire. */
    public String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Whether the state is final. */
    public boolean isTerminal() {
        return this == REJECTED || this == CLOSED || this == FAILED;
    }
}
