package dev.weir.cli.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A user and a random password of our own services; {@link #toString} does not tell the password. */
public record Secret(String user, String password) {

    private static final int RANDOM_BYTES = 24;

    /** One that nobody has seen before. */
    public static Secret random(String user) {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Secret(user, HexFormat.of().formatHex(bytes));
    }

    /**
     * The one whose password this file holds; the file is made, readable by its owner only, when there is none. Kept, so that
     * pilots started by hand find the broker again after a restart.
     */
    public static Secret kept(String user, Path file) throws IOException {
        if (Files.exists(file)) {
            return new Secret(user, Files.readString(file).strip());
        }
        Secret made = random(user);
        Files.createDirectories(file.getParent());
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, made.password, StandardOpenOption.TRUNCATE_EXISTING);
        return made;
    }

    @Override
    public String toString() {
        return user + ":…";
    }
}
