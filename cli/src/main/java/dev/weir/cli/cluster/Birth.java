package dev.weir.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** When a process started, as a text: together with its id it names the process also after the id was given to another. */
final class Birth {

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** In {@code /proc/PID/stat}, counted from the state, which follows the name of the program in parentheses. */
    private static final int START_TIME = 19;

    private Birth() {}

    /** Empty if there is no such process, or only its exit code waits for somebody. */
    static Optional<String> of(long pid) throws IOException {
        if (!Files.exists(BOOT)) {
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .flatMap(process -> process.info().startInstant())
                    .map(Object::toString);
        }
        String stat;
        try {
            stat = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
        } catch (IOException ended) {
            return Optional.empty();
        }
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        // Ticks since the boot: unlike times of day they stay the same when the clock is set.
        return fields[0].equals("Z")
                ? Optional.empty()
                : Optional.of(Files.readString(BOOT).strip() + "/" + fields[START_TIME]);
    }
}
