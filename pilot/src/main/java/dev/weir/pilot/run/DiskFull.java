package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Recognises a full disk among other failures. Java has no exception for it, so the system's words decide. */
final class DiskFull {

    private DiskFull() {}

    static boolean isCause(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String message = at.getMessage() == null ? "" : at.getMessage().toLowerCase(Locale.ROOT);
            if (message.contains("no space left on device") || message.contains("disk quota exceeded")) {
                return true;
            }
        }
        return false;
    }

    /** Bytes that may still be written at a path; a disk that gives no number counts as empty. */
    static long freeBytes(Path path) {
        try {
            return Files.getFileStore(path).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }
}
