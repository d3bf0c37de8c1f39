package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a pilot's node has. */
public enum Device {
    @JsonProperty("CPU")
    CPU,
    @JsonProperty("CPU+GPU")
    CPU_GPU
}
