package dev.weir.connectors.dsm;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;

/** What an exception says to a person: the HTTP client's own messages are often null. */
final class Reasons {

    private Reasons() {}

    static String of(Throwable failure) {
        if (failure instanceof HttpConnectTimeoutException) {
            return "no connection within the time-out";
        }
        if (failure instanceof HttpTimeoutException) {
            return "no answer within the time-out";
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return "unknown host";
            }
        }
        if (failure instanceof ConnectException && failure.getMessage() == null) {
            return "connection refused";
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
