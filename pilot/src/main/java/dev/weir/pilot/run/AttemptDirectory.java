package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The private directory of one attempt, for its owner only: {@code in/} holds the inputs, {@code work/} is the program's current
 * directory, {@code tmp/} its TMPDIR, {@code out/} takes output and logs. Nothing of it stays.
 */
final class AttemptDirectory {

    private final Path root;

    private AttemptDirectory(Path root) {
        this.root = root;
    }

    static AttemptDirectory create(Path parent, String name) throws IOException {
        Path root = parent.resolve(name);
        delete(root);
        Files.createDirectories(parent);
        Files.createDirectory(root, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String part : new String[] {"in", "work", "tmp", "out"}) {
            Files.createDirectory(root.resolve(part));
        }
        return new AttemptDirectory(root);
    }

    Path root() {
        return root;
    }

    Path in() {
        return root.resolve("in");
    }

    Path work() {
        return root.resolve("work");
    }

    Path tmp() {
        return root.resolve("tmp");
    }

    Path out() {
        return root.resolve("out");
    }

    void delete() throws IOException {
        delete(root);
    }

    /** Deletes a directory with all that is in it, see {@link Deletion}. */
    static void delete(Path root) throws IOException {
        new Deletion(root).run();
    }
}
