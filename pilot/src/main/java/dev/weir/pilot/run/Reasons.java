package dev.weir.pilot.run;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What an exception says to a person: the JDK's own messages are often null, or no more than a host or a path. */
final class Reasons {

    private Reasons() {}

    static String of(Throwable failure) {
        String words = failure instanceof FileSystemException file ? ofFile(file) : ofConnection(failure);
        if (words != null) {
            return words;
        }
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }

    private static String ofConnection(Throwable failure) {
        if (failure instanceof HttpConnectTimeoutException) {
            return "no connection within the time-out";
        }
        if (failure instanceof HttpTimeoutException) {
            return "no answer within the time-out";
        }
        if (isByUnknownHost(failure)) {
            return "no such host";
        }
        if (failure.getMessage() != null) {
            return null;
        }
        if (failure instanceof ConnectException) {
            return "connection refused";
        }
        return failure instanceof ClosedChannelException ? "the connection was closed" : null;
    }

    /** Only of a connection's failures: a storage's own exception may say more than its cause. */
    private static boolean isByUnknownHost(Throwable failure) {
        if (failure.getMessage() != null && !(failure instanceof UnknownHostException)) {
            return false;
        }
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof UnresolvedAddressException || at instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    /** Null when it says more than the path. */
    private static String ofFile(FileSystemException failure) {
        if (failure.getReason() != null || failure.getFile() == null) {
            return null;
        }
        String what = wordsOf(failure);
        return what == null ? null : failure.getFile() + ": " + what;
    }

    private static String wordsOf(IOException failure) {
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        return failure instanceof FileAlreadyExistsException ? "is there already, and is no directory" : null;
    }
}
