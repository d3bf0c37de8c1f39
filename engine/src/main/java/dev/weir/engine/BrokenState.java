package dev.weir.engine;

/**
 * The state cannot be read, or was written in part. No further event may be applied: every one would fail, or build on half a change. The
 * caller stops and goes on from its last checkpoint.
 */
public final class BrokenState extends RuntimeException {

    BrokenState(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
