package dev.weir.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A file with the id of one process and its {@link Birth}. A process that got the same id later is never taken for it.
 *
 * @param file {@code NAME.pid}
 */
record PidFile(Path file) {

    private static final String ENDING = ".pid";

    static PidFile in(Path directory, String name) {
        return new PidFile(directory.resolve(name + ENDING));
    }

    String name() {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ENDING.length());
    }

    /** Throws when it cannot; then it ends the process, which nobody would find again. */
    void write(Process process) throws IOException {
        try {
            writeOf(process);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private void writeOf(Process process) throws IOException {
        String birth = Birth.of(process.pid())
                .orElseThrow(() -> new IOException("the process " + process.pid() + " (" + name() + ") ended at once"));
        Files.createDirectories(file.getParent());
        Files.writeString(file, process.pid() + "\n" + birth + "\n");
    }

    /** The process, if it lives. */
    Optional<ProcessHandle> living() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.size() < 2 || !lines.get(0).matches("\\d{1,18}")) {
            return Optional.empty();
        }
        long pid = Long.parseLong(lines.get(0));
        return Birth.of(pid).filter(lines.get(1)::equals).isPresent() ? ProcessHandle.of(pid) : Optional.empty();
    }

    /**
     * Ends the process and removes the file. What does not end when asked is killed after the limit.
     *
     * @return whether there was a process
     * @throws IOException when it lives on after a further limit; the file stays
     */
    boolean end(Duration limit) throws IOException {
        Optional<ProcessHandle> living = living();
        if (living.isPresent()) {
            ProcessHandle process = living.get();
            process.destroy();
            if (!awaitEnd(process, limit)) {
                process.destroyForcibly();
                if (!awaitEnd(process, limit)) {
                    throw new IOException(
                            "the process " + process.pid() + " (" + name() + ") was killed and lives on after "
                                    + limit.toSeconds() + " s; look what it waits for, then repeat");
                }
            }
        }
        Files.deleteIfExists(file);
        return living.isPresent();
    }

    private boolean awaitEnd(ProcessHandle process, Duration limit) throws IOException {
        try {
            process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the process " + process.pid() + " (" + name() + ") ends", e);
        } catch (TimeoutException e) {
            // Its parent may never ask for its exit code.
            return living().isEmpty();
        } catch (ExecutionException e) {
            throw new IOException("cannot wait for the process " + process.pid() + " (" + name() + ")", e);
        }
    }
}
