package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** In which order the files of one task are released. */
public enum Order {
    /** Chunk by chunk, as DSM lists them; the only order that reads a dataset lazily. */
    @JsonProperty("sequential")
    SEQUENTIAL,
    /** Uniform over the groups that may start now, then over their files. */
    @JsonProperty("random")
    RANDOM,
    /** Smallest priority number first, first come first served among equals. */
    @JsonProperty("priority")
    PRIORITY
}
