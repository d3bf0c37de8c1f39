package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether one job processes one file (Map) or many files (Merge). */
public enum Mode {
    @JsonProperty("Map")
    MAP,
    @JsonProperty("Merge")
    MERGE
}
