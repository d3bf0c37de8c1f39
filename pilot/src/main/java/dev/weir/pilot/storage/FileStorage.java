package dev.weir.pilot.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

/** {@code file} URLs: a disk that pilot and storage share. Only below the {@link StorageRoots}. */
final class FileStorage implements Storage {

    /** Between two looks at the interrupt flag. */
    private static final long COPIED_AT_ONCE_BYTES = 8L << 20;

    private final StorageRoots roots;

    FileStorage(StorageRoots roots) {
        this.roots = roots;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public void fetch(String url, Path target, long maxBytes) throws IOException {
        Path source = roots.resolve(url, true);
        if (!Files.isRegularFile(source)) {
            throw new RefusedException(source + " is not a file (" + url + ")");
        }
        long size = Files.size(source);
        if (size > maxBytes) {
            throw new RefusedException(url + " has " + size + " bytes; at most " + maxBytes + " are expected");
        }
        copy(source, target, maxBytes);
    }

    @Override
    public void store(Path source, String url) throws IOException {
        Path target = roots.resolve(url, false);
        Path directory = target.getParent();
        if (directory == null || Files.isDirectory(target)) {
            throw new RefusedException(url + " is a directory; a file's URL is needed");
        }
        Files.createDirectories(directory);
        Path aside = directory.resolve(".weir-" + UUID.randomUUID() + ".part");
        try {
            copy(source, aside, Long.MAX_VALUE);
            Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    /** Through channels, because they end at an interrupt. */
    private static void copy(Path source, Path target, long maxBytes) throws IOException {
        try (FileChannel from = FileChannel.open(source, StandardOpenOption.READ);
                FileChannel to = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long position = 0;
            while (true) {
                long copied = from.transferTo(position, COPIED_AT_ONCE_BYTES, to);
                if (copied <= 0) {
                    return;
                }
                position += copied;
                if (position > maxBytes) {
                    throw new RefusedException(source + " grew beyond the expected " + maxBytes + " bytes");
                }
            }
        }
    }
}
