package dev.weir.pilot.storage;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** {@code file} URLs: a disk that pilot and storage share. Only below the {@link StorageRoots}. */
final class FileStorage implements Storage {

    /** Between two looks at the interrupt flag. */
    private static final long COPIED_AT_ONCE_BYTES = 8L << 20;

    private final StorageRoots roots;
    private final Disk disk;

    FileStorage(StorageRoots roots) {
        this(roots, Disk.OF_THIS_MACHINE);
    }

    FileStorage(StorageRoots roots, Disk disk) {
        this.roots = roots;
        this.disk = disk;
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
        try (OpenDirectory directory = roots.directory(source)) {
            if (!directory.hasFile(source.getFileName())) {
                throw new RefusedException(source + " is not a file any more (" + url + ")");
            }
            try (FileChannel from = directory.read(source.getFileName());
                    FileChannel to = FileChannel.open(target, CREATE_NEW, WRITE)) {
                if (from.size() > maxBytes) {
                    throw new RefusedException(
                            url + " has " + from.size() + " bytes; at most " + maxBytes + " are expected");
                }
                copy(from, to, source, maxBytes);
            }
        }
    }

    @Override
    public void store(Path source, String url) throws IOException {
        Path target = roots.resolve(url, false);
        Path parent = target.getParent();
        if (parent == null || Files.isDirectory(target)) {
            throw new RefusedException(url + " is a directory; a file's URL is needed");
        }
        makeDirectories(parent);
        try (OpenDirectory directory = roots.directory(target)) {
            Path aside = Path.of(".weir-" + UUID.randomUUID() + ".part");
            try {
                try (FileChannel from = FileChannel.open(source, READ, LinkOption.NOFOLLOW_LINKS);
                        FileChannel to = directory.create(aside)) {
                    copy(from, to, source, Long.MAX_VALUE);
                    disk.sync(to);
                }
                directory.rename(aside, target.getFileName());
            } finally {
                directory.deleteIfExists(aside);
            }
        }
        disk.syncNames(parent);
    }

    /** What is reported must be there after the machine failed, so every new name goes to the disk. */
    private void makeDirectories(Path directory) throws IOException {
        List<Path> changed = new ArrayList<>();
        for (Path at = directory; !Files.exists(at); at = at.getParent()) {
            changed.add(at.getParent());
        }
        Files.createDirectories(directory);
        for (Path above : changed) {
            disk.syncNames(above);
        }
    }

    /** Through channels, because they end at an interrupt. */
    private static void copy(FileChannel from, FileChannel to, Path source, long maxBytes) throws IOException {
        long position = 0;
        for (long copied = 1; copied > 0; position += copied) {
            copied = Math.max(0, from.transferTo(position, COPIED_AT_ONCE_BYTES, to));
            if (position + copied > maxBytes) {
                throw new RefusedException(source + " grew beyond the expected " + maxBytes + " bytes");
            }
        }
        if (position != from.size() || position != to.size()) {
            throw new IOException("of the " + from.size() + " bytes of " + source + ", " + to.size() + " were copied");
        }
    }
}
