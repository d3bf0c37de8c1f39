package dev.weir.gateway.logs;

/** No log is read at this address here; the message says why, and what to do. */
public final class LogRefused extends Exception {

    private static final long serialVersionUID = 1L;

    LogRefused(String message) {
        super(message);
    }
}
