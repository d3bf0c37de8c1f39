package dev.weir.testing.site;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One of Weir's programs as a JVM of its own, with the class path of this one; its output goes to a file. It ends when closed, or
 * with this JVM.
 */
public final class WeirProcess implements AutoCloseable {

    /** The command line {@code ./weir}; its commands are the first argument. */
    public static final String WEIR = "dev.weir.cli.Weir";

    public static final String PILOT = "dev.weir.pilot.PilotCommand";

    private static final Duration START_LIMIT = Duration.ofMinutes(4);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final long LOOK_MILLIS = 50;

    /** As {@code ./weir} starts them. */
    private static final List<String> JVM = List.of(
            "-XX:+ExitOnOutOfMemoryError",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.time=ALL-UNNAMED");

    private final String name;
    private final Process process;
    private final Path output;
    /** Bytes of the output that earlier runs have written. */
    private final long earlier;

    private final Thread atExit = new Thread(this::kill);

    private WeirProcess(String name, Process process, Path output, long earlier) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.earlier = earlier;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts a program.
     *
     * @param name of the file of its output, without the ending; the file is appended to
     * @param jvm options such as {@code -Xmx1g}
     * @param input its standard input
     */
    static WeirProcess start(
            Path logs, String name, List<String> jvm, String main, List<String> arguments, String input)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(jvm);
        // Surefire may give its JVM a class path of one jar that only refers to the others.
        command.addAll(List.of(
                "-cp", System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), main));
        command.addAll(arguments);
        Path output = Files.createDirectories(logs).resolve(name + ".out");
        long earlier = Files.exists(output) ? Files.size(output) : 0;
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
        WeirProcess started = new WeirProcess(name, process, output, earlier);
        try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(input);
        }
        return started;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it has printed so far, in this run and in earlier ones under its name. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "";
        }
    }

    /** What it has printed so far in this run. */
    private String ownOutput() throws IOException {
        byte[] all = Files.readAllBytes(output);
        int from = (int) Math.min(earlier, all.length);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8);
    }

    /**
     * Waits until it ends.
     *
     * @return what it has printed in this run
     * @throws IOException with the output if it fails, or does not end within the limit; then it is killed
     */
    public String awaitEnd(Duration limit) throws IOException, InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            throw new IOException(name + " did not end within " + limit.toSeconds() + " s:\n" + ownOutput());
        }
        if (process.exitValue() != 0) {
            throw new IOException(name + " ended with code " + process.exitValue() + ":\n" + ownOutput());
        }
        return ownOutput();
    }

    /** Waits until this run has printed the text; fails with the output when it ends before, or after four minutes. */
    public WeirProcess awaitOutput(String text) throws IOException, InterruptedException {
        long until = System.nanoTime() + START_LIMIT.toNanos();
        while (!ownOutput().contains(text)) {
            if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IOException(name + " ended with code " + process.exitValue() + ":\n" + output());
            }
            if (System.nanoTime() > until) {
                throw new IOException(
                        name + " did not print '" + text + "' within " + START_LIMIT.toSeconds() + " s:\n" + output());
            }
        }
        return this;
    }

    /** Ends it with SIGKILL, and what it has started. */
    public void kill() {
        try (Stream<ProcessHandle> started = process.descendants()) {
            List<ProcessHandle> all = started.toList();
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }
        process.onExit().join();
    }

    /**
     * Ends it with SIGTERM and waits until it has ended.
     *
     * @throws IOException with the output if it does not end within the limit; then it is killed
     */
    public void stop(Duration limit) throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            throw new IOException(name + " did not stop within " + limit.toSeconds() + " s:\n" + ownOutput());
        }
    }

    /** Ends it with SIGTERM, and with SIGKILL after twenty seconds. */
    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // This JVM ends at this moment, and the hook runs.
        }
    }
}
