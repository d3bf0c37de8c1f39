package dev.weir.cli.embedded;

import dev.weir.pilot.PilotCommand;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Local pilots: separate processes, which end together with this one. */
public final class PilotProcesses implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PilotProcesses.class);
    private static final long STOP_LIMIT_SECONDS = 10;
    private static final long MAX_LOG_BYTES = 20L << 20;

    /** A pilot holds one job and no files in memory, so little is enough. */
    private static final String HEAP = "-Xmx96m";

    private final String amqpUri;
    private final Path work;
    private final Path logs;
    private final List<Path> executables;
    private final List<Path> storageRoots;
    private final List<Process> pilots = new ArrayList<>();
    private volatile boolean closing;

    /**
     * @param amqpUri with user and password; passed by standard input, where jobs cannot see it
     * @param work the pilots' working directory
     * @param logs directory with a file for each pilot's output
     * @param executables directories of the programs that they may run
     * @param storageRoots directories that file URLs may refer to
     */
    public PilotProcesses(String amqpUri, Path work, Path logs, List<Path> executables, List<Path> storageRoots) {
        this.amqpUri = amqpUri;
        this.work = work;
        this.logs = logs;
        this.executables = List.copyOf(executables);
        this.storageRoots = List.copyOf(storageRoots);
    }

    /** Starts a pilot that serves these pools and prefers the first. */
    public void start(String id, List<String> pools, String device) throws IOException {
        Files.createDirectories(work);
        Files.createDirectories(logs);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                // Short-lived and idle most of the time: start quickly rather than run fast.
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                PilotCommand.class.getName(),
                "--amqp-file=-",
                "--id=" + id,
                "--device=" + device,
                "--pool=" + String.join(",", pools),
                "--work-dir=" + work,
                "--parent=" + ProcessHandle.current().pid()));
        executables.forEach(directory -> command.add("--executables=" + directory));
        storageRoots.forEach(root -> command.add("--storage-root=" + root));
        Path log = logs.resolve("pilot-" + id + ".log");
        rotate(log);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
        Process pilot = builder.start();
        pilots.add(pilot);
        var unused = pilot.onExit().thenAccept(ended -> {
            if (!closing) {
                LOG.warn(
                        "pilot {} has ended with code {}; {} says why, and jobs go to the other pilots",
                        id,
                        ended.exitValue(),
                        log);
            }
        });
        try (Writer url = pilot.outputWriter(StandardCharsets.UTF_8)) {
            url.write(amqpUri + "\n");
        }
    }

    /** Keeps the output of earlier starts: in the same file, and one older file when that is large. */
    private static void rotate(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > MAX_LOG_BYTES) {
            Files.move(log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** The number of running pilots. */
    public long alive() {
        return pilots.stream().filter(Process::isAlive).count();
    }

    /** Stops the pilots and their programs with SIGTERM, and after ten seconds with SIGKILL. */
    @Override
    public void close() throws InterruptedException {
        closing = true;
        // An interrupt is usually the reason for this stop; it must not leave processes behind.
        boolean interrupted = Thread.interrupted();
        List<ProcessHandle> all = pilots.stream()
                .flatMap(pilot -> Stream.concat(Stream.of(pilot.toHandle()), pilot.descendants()))
                .toList();
        pilots.forEach(Process::destroy);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_LIMIT_SECONDS);
        for (Process pilot : pilots) {
            pilot.waitFor(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        }
        all.forEach(ProcessHandle::destroyForcibly);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
