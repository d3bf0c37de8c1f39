package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The states of a job in {@code job_dat}: those of the SPD On-Line Filter (table 8), and those before a pilot starts it. */
public enum JobStatus {
    @JsonProperty("Waiting")
    WAITING,
    @JsonProperty("Queued")
    QUEUED,
    @JsonProperty("Cooling")
    COOLING,
    @JsonProperty("Starting")
    STARTING,
    @JsonProperty("Running")
    RUNNING,
    @JsonProperty("Finished")
    FINISHED,
    @JsonProperty("Failed")
    FAILED,
    @JsonProperty("Killed")
    KILLED,
    @JsonProperty("Cancelled")
    CANCELLED;

    /** Whether the state is final. */
    public boolean isTerminal() {
        return this == FINISHED || this == FAILED || this == KILLED || this == CANCELLED;
    }

    /** The spelling on the wire and in the database. */
    public String wireName() {
        return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }
}
