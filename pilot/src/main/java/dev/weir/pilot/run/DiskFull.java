package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The working disk is full, or nearly. Java has no exception for the former, so the system's words decide among other failures. */
final class DiskFull extends IOException {

    private DiskFull(String message) {
        super(message);
    }

    static boolean isCause(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String message = at.getMessage() == null ? "" : at.getMessage().toLowerCase(Locale.ROOT);
            if (at instanceof DiskFull
                    || message.contains("no space left on device")
                    || message.contains("disk quota exceeded")) {
                return true;
            }
        }
        return false;
    }

    /** What is wrong when less than this is free at a path; else null. */
    static DiskFull below(long leastBytes, Path path) {
        long free = freeBytes(path);
        return free >= leastBytes
                ? null
                : new DiskFull("the working disk has " + free + " bytes free, less than " + leastBytes
                        + " (see --min-free-disk)");
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
