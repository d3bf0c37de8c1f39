package dev.weir.pilot;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * Directories in which a pilot deletes files, ends processes and finds reports to send: no other user may write there, or have made
 * them. Links are not followed.
 */
final class PrivateDirectory {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /**
     * Makes the directory, with all above it, or takes one that is this user's, and closes it to all others.
     *
     * @throws IOException when it is a link, no directory, or another user's
     */
    static void claim(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (FileAlreadyExistsException e) {
            String fault = fault(directory);
            if (fault != null) {
                throw new IOException("the work directory " + directory + " " + fault + "; set --work-dir", e);
            }
            if (!Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)
                    .equals(OWNER_ONLY)) {
                Files.setPosixFilePermissions(directory, OWNER_ONLY);
            }
        }
    }

    /** Why a directory is not to be trusted; null when it is this user's own, or not there (any more). */
    static String fault(Path directory) throws IOException {
        return fault(directory, user());
    }

    static String fault(Path directory, long user) throws IOException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(
                    directory, "unix:uid,owner,isDirectory,isSymbolicLink", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
        if (found.get("isSymbolicLink").equals(true)) {
            return "is a link, which a pilot does not follow";
        }
        if (found.get("isDirectory").equals(false)) {
            return "is no directory";
        }
        return found.get("uid").equals((int) user)
                ? null
                : "belongs to " + found.get("owner") + ", not to the pilot's user";
    }

    static long user() {
        return new UnixSystem().getUid();
    }
}
