package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The states of a task that WFMS is told about; the routing key of an event is {@code task.<state>}. */
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

    /** As it is spelled on the wire. */
    public String wireName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** Whether nothing follows it. */
    public boolean isTerminal() {
        return this == REJECTED || this == CLOSED || this == FAILED;
    }
}
