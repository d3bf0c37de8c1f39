package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a main class in a separate JVM with the class path of this one: for code that must be measured cold, or whose memory must not
 * be mixed with that of this JVM. The process has ended when {@link #run} returns.
 */
public final class ChildJvm {

    /** Options for pages of 2 MiB, as in Weir's launcher; ignored on systems without them. */
    public static final List<String> LARGE_PAGES =
            List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseTransparentHugePages");

    private static final int SHOWN_OF_ERRORS = 2_000;

    private ChildJvm() {}

    /**
     * Runs the class to its end.
     *
     * @param options of the JVM, such as {@code -Xmx512m}
     * @param limit after which it is killed and the run fails
     * @return the last line of its standard output
     * @throws IOException when it fails, prints nothing or takes too long; with the end of its output
     */
    public static String run(List<String> options, Class<?> main, List<String> arguments, Duration limit)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Path out = Files.createTempFile("weir-bench", ".out");
        Path err = Files.createTempFile("weir-bench", ".err");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            try {
                if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException(main.getSimpleName() + " " + arguments + " took longer than " + limit);
                }
            } finally {
                process.destroyForcibly().waitFor();
            }
            List<String> lines = Files.readAllLines(out);
            if (process.exitValue() != 0 || lines.isEmpty()) {
                String said = Files.readString(err);
                throw new IOException(main.getSimpleName() + " " + arguments + " ended with " + process.exitValue()
                        + ": " + said.substring(0, Math.min(said.length(), SHOWN_OF_ERRORS)));
            }
            return lines.get(lines.size() - 1);
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }
}
