package dev.weir.placement.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file aside and renames it when it is whole, so that nobody ever reads half a file. */
final class WholeFile {

    /** What is written. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private WholeFile() {}

    static void write(Path file, Content content) throws IOException {
        Path aside = file.resolveSibling(file.getFileName() + ".part");
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
