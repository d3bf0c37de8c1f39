package dev.weir.placement.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The input can't be used. The message lists what is wrong, each with file, line and reason. */
public final class InputException extends Exception {

    private static final long serialVersionUID = 1;

    public InputException(String message) {
        super(message);
    }

    /** What Jackson says, in one line and without its remarks about itself in place of a source. */
    static String reason(JsonProcessingException malformed) {
        return malformed
                .getOriginalMessage()
                .replaceAll("\\[Source: [^;]*; ", "[")
                .replaceAll("\\s+", " ");
    }

    /** A file that can't be opened or read. */
    static InputException unreadable(Path file, IOException failure) {
        String reason = failure instanceof NoSuchFileException
                ? "there is no such file"
                : failure instanceof AccessDeniedException ? "no permission" : String.valueOf(failure.getMessage());
        return new InputException(file + ": can't be read: " + reason);
    }

    /** Collects what is wrong in one file: the first few in words, the rest in number. */
    static final class Collector {

        private static final int SHOWN = 20;

        private final Path file;
        private final List<String> shown = new ArrayList<>();
        private long count;

        Collector(Path file) {
            this.file = file;
        }

        void add(long line, String reason) {
            if (++count <= SHOWN) {
                shown.add(file + ":" + line + ": " + reason);
            }
        }

        void throwIfAny() throws InputException {
            if (count > 0) {
                String more = count > shown.size() ? "\nand " + (count - shown.size()) + " more bad lines" : "";
                throw new InputException(String.join("\n", shown) + more);
            }
        }
    }
}
