package dev.weir.pilot.storage;

/** The storage answers, and says that the file is not there. A storage that is away is another thing: its files are there. */
public final class MissingFileException extends RefusedException {

    public MissingFileException(String message) {
        super(message);
    }

    /** Whether a transfer has failed so. */
    public static boolean isCause(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof MissingFileException) {
                return true;
            }
        }
        return false;
    }
}
