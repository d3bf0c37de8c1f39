package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The processors of a pilot's node. */
public enum Device {
    @JsonProperty("CPU")
    CPU,
    @JsonProperty("CPU+GPU")
    CPU_GPU
}
