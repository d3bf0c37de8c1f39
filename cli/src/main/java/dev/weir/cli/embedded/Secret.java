package dev.weir.cli.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A user and a random password of the embedded services; {@link #toString} hides the password. */
public record Secret(String user, String password) {

    private static final int RANDOM_BYTES = 24;

    /** A new random secret. */
    public static Secret random(String user) {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Secret(user, HexFormat.of().formatHex(bytes));
    }

    /**
     * The secret in this file; if there is none, a new one in a new file that only its owner can read. It is kept, so that
     * pilots started by hand can connect again after a restart.
     */
    public static Secret kept(String user, Path file) throws IOException {
        String kept = Files.exists(file) ? Files.readString(file).strip() : "";
        if (!kept.isEmpty()) {
            return new Secret(user, kept);
        }
        Secret made = random(user);
        Files.createDirectories(file.getParent());
        // A full disk would leave an empty file otherwise, and that would be the password from then on.
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(part, made.password);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        return made;
    }

    @Override
    public String toString() {
        return user + ":…";
    }
}
