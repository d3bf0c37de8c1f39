package dev.weir.pilot.run;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.Urls;

/** A step of an attempt failed, and with it the attempt. Its message goes to logs and to Weir, so URLs in it show no passwords. */
final class AttemptFailure extends Exception {

    private final ErrorType type;

    AttemptFailure(ErrorType type, String message) {
        this(type, message, null);
    }

    AttemptFailure(ErrorType type, String message, Throwable cause) {
        super(message == null ? null : Urls.withoutSecrets(message), cause);
        this.type = type;
    }

    ErrorType type() {
        return type;
    }
}
