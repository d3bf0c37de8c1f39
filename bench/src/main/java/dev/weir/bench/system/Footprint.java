package dev.weir.bench.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a JVM used, read from the log of its garbage collector, and what is in a directory. */
final class Footprint {

    /** As in {@code Pause Young (Normal) (G1 Evacuation Pause) 345M->123M(2048M) 5.123ms}. */
    private static final Pattern PAUSE = Pattern.compile("Pause .* \\d+M->(\\d+)M\\(\\d+M\\) ([0-9.]+)ms");

    private final String log;

    /** @param log written with {@code -Xlog:gc:file=…} */
    Footprint(Path log) throws IOException {
        this.log = Files.readString(log);
    }

    /** The most that was left after a collection. */
    double heapMiB() {
        return most(1);
    }

    /** What was left after the last collection. */
    double lastHeapMiB() {
        return PAUSE.matcher(log)
                .results()
                .mapToDouble(pause -> Double.parseDouble(pause.group(1)))
                .reduce(0, (before, after) -> after);
    }

    double longestPauseMillis() {
        return most(2);
    }

    private double most(int group) {
        return PAUSE.matcher(log)
                .results()
                .map((MatchResult pause) -> pause.group(group))
                .mapToDouble(Double::parseDouble)
                .max()
                .orElse(0);
    }

    /** Files and directories that disappear meanwhile are left out. */
    static long bytesBelow(Path directory) {
        AtomicLong bytes = new AtomicLong();
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes.addAndGet(attributes.isRegularFile() ? attributes.size() : 0);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.get();
    }
}
