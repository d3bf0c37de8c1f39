package dev.weir.scheduler.options;

/** The cause of a failed attempt, which decides the budget that it uses. */
public enum ErrorClass {
    /** The payload failed: uses one of the task's retries. */
    PAYLOAD,
    /** Weir, the node or a storage failed: it uses time, of which there is a day. */
    SYSTEM,
    /** A further attempt cannot succeed: there is none. */
    PERMANENT
}
