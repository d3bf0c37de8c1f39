package dev.weir.pilot.run;

import dev.weir.protocol.ErrorType;

/** A step of an attempt failed, and with it the attempt. */
final class AttemptFailure extends Exception {

    private final ErrorType type;

    AttemptFailure(ErrorType type, String message) {
        this(type, message, null);
    }

    AttemptFailure(ErrorType type, String message, Throwable cause) {
        super(message, cause);
        this.type = type;
    }

    ErrorType type() {
        return type;
    }
}
