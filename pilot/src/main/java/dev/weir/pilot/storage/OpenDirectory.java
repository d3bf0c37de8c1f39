package dev.weir.pilot.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * A directory of a storage, opened step by step from its root without following links, and the files in it by their names. So what
 * was checked is what is used, even if others put links in its place meanwhile. Where Java cannot open relative to a directory
 * (not on Linux), only the last step is safe.
 */
final class OpenDirectory implements Closeable {

    private final Path path;
    private final DirectoryStream<Path> stream;

    private OpenDirectory(Path path, DirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
    }

    /** @param directory the root, or below it; both with links resolved */
    static OpenDirectory open(Path root, Path directory) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(root);
        if (!(stream instanceof SecureDirectoryStream<Path>)) {
            return new OpenDirectory(directory, stream);
        }
        for (Path step : root.relativize(directory)) {
            if (!step.toString().isEmpty()) {
                try (DirectoryStream<Path> above = stream) {
                    stream = ((SecureDirectoryStream<Path>) above).newDirectoryStream(step, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
        return new OpenDirectory(directory, stream);
    }

    private SecureDirectoryStream<Path> secure() {
        return stream instanceof SecureDirectoryStream<Path> secure ? secure : null;
    }

    boolean hasFile(Path name) throws IOException {
        try {
            BasicFileAttributes found = secure() == null
                    ? Files.readAttributes(path.resolve(name), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    : secure().getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .readAttributes();
            return found.isRegularFile();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    FileChannel read(Path name) throws IOException {
        return open(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    FileChannel create(Path name) throws IOException {
        return open(name, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    private FileChannel open(Path name, Set<OpenOption> options) throws IOException {
        if (secure() == null) {
            return FileChannel.open(path.resolve(name), options);
        }
        SeekableByteChannel channel = secure().newByteChannel(name, options);
        return (FileChannel) channel;
    }

    /** In one step; replaces what has the new name. */
    void rename(Path from, Path to) throws IOException {
        if (secure() == null) {
            Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE);
        } else {
            secure().move(from, secure(), to);
        }
    }

    void deleteIfExists(Path name) throws IOException {
        try {
            if (secure() == null) {
                Files.deleteIfExists(path.resolve(name));
            } else {
                secure().deleteFile(name);
            }
        } catch (NoSuchFileException e) {
            // Renamed.
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
