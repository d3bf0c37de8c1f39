package dev.weir.placement.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Writes temporary files and renames them when all are complete, so that half a file is never read. */
final class WholeFile {

    /** What is written. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private static final String PART = ".part";

    /** No writer takes as long. */
    private static final Duration LEFT_BEHIND = Duration.ofDays(1);

    private WholeFile() {}

    static void write(Path file, Content content) throws IOException {
        write(Map.of(file, content));
    }

    /** Writes all, then renames them in the order of the map: on a full disk all earlier files stay. */
    static void write(Map<Path, Content> files) throws IOException {
        Map<Path, Path> asides = new LinkedHashMap<>();
        try {
            for (Map.Entry<Path, Content> one : files.entrySet()) {
                Path file = one.getKey();
                deleteOld(file);
                // A name of its own for each writer: two that overlap disturb neither, and the last one's file stays.
                Path aside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + PART);
                asides.put(file, aside);
                writeAside(aside, one.getValue());
            }
            for (Map.Entry<Path, Path> one : asides.entrySet()) {
                Files.move(
                        one.getValue(),
                        one.getKey(),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            for (Path aside : asides.values()) {
                Files.deleteIfExists(aside);
            }
        }
    }

    private static void writeAside(Path aside, Content content) throws IOException {
        try (OutputStream out = Files.newOutputStream(aside)) {
            content.writeTo(out);
        }
        // A power cut after the renaming must not leave an empty file.
        try (FileChannel written = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            written.force(true);
        }
    }

    /** What writers have left that were killed. What cannot be removed, or is gone already, hinders nobody. */
    private static void deleteOld(Path file) {
        Instant before = Instant.now().minus(LEFT_BEHIND);
        try (DirectoryStream<Path> siblings =
                Files.newDirectoryStream(file.toAbsolutePath().getParent())) {
            for (Path one : siblings) {
                String name = one.getFileName().toString();
                if (name.startsWith(file.getFileName() + ".")
                        && name.endsWith(PART)
                        && one.toFile().lastModified() < before.toEpochMilli()) {
                    Files.deleteIfExists(one);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The next writer tries again.
        }
    }
}
