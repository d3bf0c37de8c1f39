package dev.weir.pilot.storage;

import java.io.IOException;

/** A transfer that would fail in the same way again: the file is not there, is too large, or may not be touched. */
public sealed class RefusedException extends IOException permits MissingFileException {

    public RefusedException(String message) {
        super(message);
    }

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
