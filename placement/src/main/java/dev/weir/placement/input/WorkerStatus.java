package dev.weir.placement.input;

/** Whether a worker counts for the availability of data. All but {@link #ONLINE} are not reliable; they get chunks as well. */
public enum WorkerStatus {
    ONLINE,
    UNRELIABLE,
    OFFLINE;

    /** Whether chunks on this worker count as available. */
    public boolean isReliable() {
        return this == ONLINE;
    }
}
