package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The kind of failure of an attempt, as seen by the pilot; Weir says {@link #LOST} and {@link #UNKNOWN}. */
public enum ErrorType {
    /** The input could not be moved to the working disk, or its size or checksum was wrong; or the node could not start the program. */
    @JsonProperty("stage_in")
    STAGE_IN,
    /** Output or log could not be uploaded. */
    @JsonProperty("stage_out")
    STAGE_OUT,
    /** The program is missing, not allowed or cannot be started by any node. */
    @JsonProperty("executable")
    EXECUTABLE,
    /** The program ended with an exit code other than 0. */
    @JsonProperty("exit")
    EXIT,
    @JsonProperty("timeout")
    TIMEOUT,
    @JsonProperty("disk_full")
    DISK_FULL,
    @JsonProperty("oom")
    OOM,
    @JsonProperty("killed")
    KILLED,
    /** The storage answers, and says that the input is not there. */
    @JsonProperty("missing")
    MISSING,
    /** Its pilot was not heard for a lease. */
    @JsonProperty("lost")
    LOST,
    /** It failed, and its pilot did not say how. */
    @JsonProperty("unknown")
    UNKNOWN
}
