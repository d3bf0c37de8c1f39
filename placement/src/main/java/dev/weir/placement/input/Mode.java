package dev.weir.placement.input;

/** How many replicas a chunk gets. */
public enum Mode {
    /** The original's factors, one integer for a weight, bit for bit. */
    COMPATIBLE,
    /** Factors with a fraction: each chunk rounds it by its own hash, so that the whole budget is spent and no step is a cliff. */
    FULL
}
