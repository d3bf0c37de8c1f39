package dev.weir.placement.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** Writes a temporary file and renames it when it is complete, so that half a file is never read. */
final class WholeFile {

    /** What is written. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private WholeFile() {}

    static void write(Path file, Content content) throws IOException {
        // A name of its own for each writer: two that overlap disturb neither, and the last one's file stays.
        Path aside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = Files.newOutputStream(aside)) {
                content.writeTo(out);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
