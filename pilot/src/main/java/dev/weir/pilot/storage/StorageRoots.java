package dev.weir.pilot.storage;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The directories that {@code file} URLs may reach. Links are followed before a path is judged, so a link inside a root
 * cannot lead out of it. Without roots no {@code file} URL is served: a pilot that may write anywhere must be configured so, by the
 * root {@code /}.
 */
public final class StorageRoots {

    /** As the system says them in English. A name with escapes may be longer than a name can be. */
    private static final List<String> NO_SUCH_PATH = List.of("Not a directory", "File name too long");

    private final List<Path> roots;

    /** Every root must be a directory by now. */
    public StorageRoots(List<Path> roots) throws IOException {
        List<Path> real = new ArrayList<>();
        for (Path root : roots) {
            if (!Files.isDirectory(root)) {
                throw new IOException("the storage root " + root + " is not a directory; make it, or name another");
            }
            real.add(root.toRealPath());
        }
        this.roots = List.copyOf(real);
    }

    /**
     * The path of a {@code file} URL, with links followed as far as it exists. Weir joins names to URLs as they are, so the
     * URL is read word for word first, and with its percent escapes decoded if that finds nothing.
     *
     * @param mustExist whether the path is to be read
     * @throws RefusedException when it is on another host or outside of the roots
     * @throws IOException when it cannot be looked at; or when it must exist and does not: a {@link MissingFileException} if its directory
     *     has other files
     */
    Path resolve(String url, boolean mustExist) throws IOException {
        String text = withoutHost(url);
        List<Path> inside = new ArrayList<>();
        for (Path candidate : candidates(text, url)) {
            Path real = real(candidate);
            if (roots.stream().anyMatch(real::startsWith)) {
                inside.add(real);
            }
        }
        if (inside.isEmpty()) {
            throw new RefusedException(url + " lies outside of the pilot's storage roots "
                    + (roots.isEmpty() ? "(none are set)" : roots) + "; see --storage-root");
        }
        for (Path path : inside) {
            if (isThere(path)) {
                return path;
            }
        }
        if (mustExist) {
            throw absent(inside.get(0), url);
        }
        return inside.get(0);
    }

    /** A directory that is gone, or is empty, may be a disk that is not mounted; its files are not missing. */
    private static IOException absent(Path file, String url) throws IOException {
        Path directory = file.getParent();
        String missing = "there is no file " + file + " (" + url + ")";
        if (!Files.isDirectory(directory)) {
            return new IOException(missing + ", nor its directory");
        }
        try (DirectoryStream<Path> others = Files.newDirectoryStream(directory)) {
            return others.iterator().hasNext()
                    ? new MissingFileException(missing)
                    : new IOException(missing + ", and its directory is empty");
        }
    }

    /** Opens the directory of a path that {@link #resolve} gave; not through links that came meanwhile. */
    OpenDirectory directory(Path resolved) throws IOException {
        Path directory = resolved.getParent();
        for (Path root : roots) {
            if (directory != null && directory.startsWith(root)) {
                return OpenDirectory.open(root, directory);
            }
        }
        throw new RefusedException(resolved + " is a storage root, and no file");
    }

    private static String withoutHost(String url) throws RefusedException {
        String rest = url.substring(url.indexOf(':') + 1);
        if (!rest.startsWith("//")) {
            return rest;
        }
        int slash = rest.indexOf('/', 2);
        String host = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        if (slash < 0 || !(host.isEmpty() || host.equals("localhost"))) {
            throw new RefusedException(url + " names another host; a pilot reads and writes file:///path on its own");
        }
        return rest.substring(slash);
    }

    private static List<Path> candidates(String text, String url) throws RefusedException {
        List<Path> found = new ArrayList<>();
        if (!FileNames.isKnownToSystem(text)) {
            throw new RefusedException(url + " " + FileNames.UNKNOWN_TO_SYSTEM);
        }
        try {
            Path raw = Path.of(text);
            if (!raw.isAbsolute()) {
                throw new RefusedException(url + " has no absolute path; write file:///path");
            }
            found.add(raw.normalize());
            if (text.indexOf('%') >= 0) {
                found.add(Path.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8))
                        .normalize());
            }
        } catch (IllegalArgumentException e) {
            if (e instanceof InvalidPathException || found.isEmpty()) {
                throw new RefusedException(url + " is no path: " + e.getMessage(), e);
            }
        }
        return found;
    }

    /** The nearest existing directory above, with its links followed, and the rest as it is. */
    private static Path real(Path path) throws IOException {
        Path existing = path;
        while (!isThere(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = existing.getParent();
        }
        if (!isThere(existing)) {
            throw new RefusedException(existing + " is a link to nothing");
        }
        return existing.toRealPath().resolve(existing.relativize(path)).normalize();
    }

    /** {@link Files#exists} says the same of a file that is not there and of a disk that fails. */
    private static boolean isThere(Path path, LinkOption... options) throws IOException {
        try {
            Files.readAttributes(path, BasicFileAttributes.class, options);
            return true;
        } catch (IOException e) {
            if (saysAbsent(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Whether the system says that there is no such file, or can be none; after any other error there may be one. */
    static boolean saysAbsent(IOException e) {
        return e instanceof NoSuchFileException
                || e instanceof FileSystemException failure
                        && failure.getReason() != null
                        && NO_SUCH_PATH.contains(failure.getReason());
    }
}
