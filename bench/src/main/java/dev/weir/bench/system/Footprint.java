package dev.weir.bench.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

    /** Files that disappear meanwhile are left out. */
    static long bytesBelow(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(Footprint::size).sum();
        } catch (IOException | UncheckedIOException e) {
            return 0; // The next look finds it.
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0; // Deleted meanwhile.
        }
    }
}
