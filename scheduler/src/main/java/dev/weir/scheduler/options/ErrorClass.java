package dev.weir.scheduler.options;

/** Whose fault a failed attempt is, and so whose budget it uses up. */
public enum ErrorClass {
    /** The payload's: uses up one of the task's retries. */
    PAYLOAD,
    /** Ours or the node's: uses up one of the larger system budget. */
    SYSTEM,
    /** Nobody can help: no further attempt. */
    PERMANENT
}
