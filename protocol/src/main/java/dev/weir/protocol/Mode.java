package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Whether each file is processed by a job of its own (Map) or many files by one job (Merge). */
public enum Mode {
    @JsonProperty("Map")
    MAP,
    @JsonProperty("Merge")
    MERGE
}
