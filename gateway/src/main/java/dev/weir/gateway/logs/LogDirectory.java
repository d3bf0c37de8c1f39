package dev.weir.gateway.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** A directory below which logs are read. It may come later, as a disk that is mounted. */
final class LogDirectory {

    private final Path root;

    /** @param root absolute */
    LogDirectory(Path root) {
        this.root = root;
    }

    /** Whether the path is below it by name. */
    boolean holds(Path path) {
        return path.startsWith(root) && !path.equals(root);
    }

    /** The end of a file; empty when links lead out of the directory, or it is no regular file. */
    Optional<LogTail> tail(Path path) throws LogRefused, IOException {
        Path top = root.toRealPath();
        Path real = path.toRealPath();
        if (!real.startsWith(top) || real.equals(top)) {
            return Optional.empty();
        }
        // Programs of others write below: what was checked must be what is opened, so no further link is followed.
        DirectoryStream<Path> stream = Files.newDirectoryStream(top);
        try {
            Path below = top.relativize(real);
            for (Path step : below.getNameCount() > 1 ? below.getParent() : Path.of("")) {
                if (!step.toString().isEmpty()) {
                    try (DirectoryStream<Path> above = stream) {
                        stream = secure(above).newDirectoryStream(step, LinkOption.NOFOLLOW_LINKS);
                    }
                }
            }
            return read(secure(stream), below.getFileName());
        } finally {
            stream.close();
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream) throws LogRefused {
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        throw new LogRefused("logs in directories are read on Linux only, where Java can open files safely");
    }

    private static Optional<LogTail> read(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        if (!directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isRegularFile()) {
            return Optional.empty();
        }
        try (SeekableByteChannel file =
                directory.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = file.size();
            ByteBuffer end = ByteBuffer.allocate((int) Math.min(size, LogTail.MOST_BYTES));
            file.position(size - end.capacity());
            while (end.hasRemaining() && file.read(end) >= 0) {
                // Until it is full, or the file was cut meanwhile.
            }
            return Optional.of(
                    LogTail.of(Arrays.copyOf(end.array(), end.position()), size - end.capacity() + end.position()));
        }
    }
}
