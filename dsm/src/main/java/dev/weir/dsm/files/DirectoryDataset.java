package dev.weir.dsm.files;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a directory and all below it, in the order of their relative paths. A symbolic link counts as a file if what it
 * points to is a file within the directory; links to directories and out of the directory are left out.
 */
public final class DirectoryDataset {

    /** Most files of one directory: their list is held in memory while it is registered, about 300 bytes each. */
    public static final int MAX_FILES = 2_000_000;

    /** The character that Java puts for bytes that are not UTF-8. */
    private static final char UNDECODABLE = '\uFFFD';

    private DirectoryDataset() {}

    /** Lists the files, without checksums. Throws when the directory is absent, unreadable or too large. */
    public static List<FileInfo> list(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            throw new NoSuchFileException(directory.toString(), null, "there is no such directory");
        }
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException(directory.toString());
        }
        Path root = directory.toRealPath();
        List<Path> paths = new ArrayList<>();
        try (Stream<Path> found = Files.walk(root)) {
            for (Iterator<Path> all = found.iterator(); all.hasNext(); ) {
                Path path = all.next();
                if (isFileWithin(root, path)) {
                    if (paths.size() == MAX_FILES) {
                        throw new IOException(
                                directory + " has more than " + MAX_FILES + " files; make several datasets of it");
                    }
                    if (path.toString().indexOf(UNDECODABLE) >= 0) {
                        throw new IOException(path + " has a name that is not UTF-8; rename it, then try again");
                    }
                    paths.add(root.relativize(path));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        paths.sort(Comparator.comparing(Path::toString));
        List<FileInfo> files = new ArrayList<>(paths.size());
        for (Path path : paths) {
            files.add(info(root, path));
        }
        return files;
    }

    private static boolean isFileWithin(Path root, Path path) throws IOException {
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        return Files.isSymbolicLink(path)
                && Files.isRegularFile(path)
                && path.toRealPath().startsWith(root);
    }

    private static FileInfo info(Path root, Path relative) throws IOException {
        Path parent = relative.getParent();
        Path file = root.resolve(relative);
        try {
            return new FileInfo(
                    relative.getFileName().toString(),
                    "file://" + slashed(root),
                    parent == null ? "" : slashed(parent),
                    Files.size(file),
                    null,
                    null,
                    null,
                    null);
        } catch (InvalidMessage e) {
            throw new IOException(
                    file + " cannot be in a dataset: " + e.getMessage() + "; rename it, then try again", e);
        }
    }

    private static String slashed(Path path) {
        return path.toString().replace(path.getFileSystem().getSeparator(), "/");
    }
}
