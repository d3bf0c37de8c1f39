package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A local Flink in a JVM of its own, with a directory for its state that goes with it. */
public final class FlinkChild {

    private FlinkChild() {}

    /**
     * Runs it to its end.
     *
     * @param heap as {@code -Xmx} takes it
     * @param main prints numbers with blanks between them, which are returned
     * @param arguments follow the directory
     */
    public static double[] run(String heap, Class<?> main, List<String> arguments) throws Exception {
        Path directory = Files.createTempDirectory("weir-bench-flink");
        try {
            List<String> options = new ArrayList<>(List.of("-Xmx" + heap, "-XX:+UseG1GC"));
            options.addAll(ChildJvm.LARGE_PAGES);
            options.add("-Dweir.log.file=" + directory.resolve("flink.log"));
            for (String opened : List.of("util", "lang", "nio", "time")) {
                options.add("--add-opens=java.base/java." + opened + "=ALL-UNNAMED");
            }
            List<String> all = new ArrayList<>(List.of(directory.toString()));
            all.addAll(arguments);
            String line = ChildJvm.run(options, main, all, Duration.ofMinutes(10));
            return Stream.of(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
