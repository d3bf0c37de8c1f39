package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;

/**
 * Deletes a directory with all that is in it, also what a program has made unwritable; links are not followed. A program can nest
 * directories deeper than a path may be long. So directories are moved up into the root before they are emptied: no path gets
 * longer than two names below it. What cannot be deleted does not keep the rest.
 */
final class Deletion {

    private final Path root;
    private final String word = UUID.randomUUID().toString();
    private long moved;
    private IOException failure;

    Deletion(Path root) {
        this.root = root;
    }

    /** Throws the first failure, after everything has been tried. Runs once. */
    void run() throws IOException {
        if (!isDirectory(root)) {
            Files.deleteIfExists(root);
            return;
        }
        long before;
        do {
            before = moved;
            each(root, this::empty);
        } while (moved > before);
        attempt(() -> Files.delete(root));
        if (failure != null) {
            throw failure;
        }
    }

    /** Deletes an entry of the root; directories in it become entries of the root. */
    private void empty(Path entry) throws IOException {
        if (isDirectory(entry)) {
            each(entry, inner -> {
                if (isDirectory(inner)) {
                    open(inner); // A directory that is moved changes too: its "..".
                    Files.move(inner, root.resolve(word + "-" + moved), StandardCopyOption.ATOMIC_MOVE);
                    moved++;
                } else {
                    Files.delete(inner);
                }
            });
        }
        Files.deleteIfExists(entry);
    }

    private void each(Path directory, Step step) {
        attempt(() -> {
            open(directory);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    attempt(() -> step.on(entry));
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        });
    }

    private void attempt(Action action) {
        try {
            action.run();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
    }

    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    private static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    private interface Action {
        void run() throws IOException;
    }

    private interface Step {
        void on(Path entry) throws IOException;
    }
}
