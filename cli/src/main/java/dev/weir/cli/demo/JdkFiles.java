package dev.weir.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Real files of the local JDK: the files of its home directory and, where a directory is missing or too small, the
 * classes of its run-time image.
 */
final class JdkFiles {

    /** Larger files would make the demo depend on the speed of the disk. */
    private static final long MAX_BYTES = 2 << 20;

    private static final int MAX_DEPTH = 12;

    private final Path javaHome;

    JdkFiles(Path javaHome) {
        this.javaHome = javaHome;
    }

    /**
     * Copies files into a dataset's directory.
     *
     * @param source a directory of the Java home, e.g. {@code legal}; it may be missing
     * @param module whose classes supplement the files; {@code java.base} if there is no such module
     * @return the number of files: as requested, unless this JDK has fewer
     */
    int copy(String source, String module, int files, Path dataset) throws IOException {
        Files.createDirectories(dataset);
        int copied = copyFrom(javaHome.resolve(source), files, dataset.resolve(source));
        Path classes = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module);
        if (!Files.isDirectory(classes)) {
            classes = classes.resolveSibling("java.base");
        }
        return copied + copyFrom(classes, files - copied, dataset.resolve("classes"));
    }

    private static int copyFrom(Path source, int files, Path target) throws IOException {
        if (!Files.isDirectory(source)) {
            return 0;
        }
        List<Path> chosen;
        try (Stream<Path> found = Files.find(
                source,
                MAX_DEPTH,
                (path, attributes) -> attributes.isRegularFile()
                        && attributes.size() > 0
                        && attributes.size() <= MAX_BYTES
                        && Files.isReadable(path),
                FileVisitOption.FOLLOW_LINKS)) {
            chosen = found.sorted().limit(files).toList();
        }
        for (Path file : chosen) {
            Path copy = target.resolve(source.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return chosen.size();
    }
}
