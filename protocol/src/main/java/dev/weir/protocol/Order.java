package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The order in which the files of one task start. */
public enum Order {
    /** In DSM's order, chunk by chunk; the only order that reads a dataset lazily. */
    @JsonProperty("sequential")
    SEQUENTIAL,
    /** A random ready group, then a random file of it, both uniform. */
    @JsonProperty("random")
    RANDOM,
    /** Smallest priority number first; among equals first come, first served. */
    @JsonProperty("priority")
    PRIORITY
}
