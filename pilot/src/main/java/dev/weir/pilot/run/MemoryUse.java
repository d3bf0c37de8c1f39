package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/**
 * How much memory processes have. What several of them share counts once, in parts of each, so that the children of one program may be added up; the
 * address space that a program only reserves does not count. From {@code /proc}; 0 elsewhere, and for processes of other users.
 */
final class MemoryUse {

    private static final String SHARE = "Pss:";
    private static final long KIB = 1024;

    private MemoryUse() {}

    /** Whether this system tells it of the pilot's own processes. */
    static boolean isKnown() {
        return Files.exists(Path.of("/proc/self/smaps_rollup"));
    }

    /** In bytes, all together. */
    static long of(Collection<ProcessHandle> processes) {
        return processes.stream().mapToLong(process -> of(process.pid())).sum();
    }

    private static long of(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
                if (line.startsWith(SHARE)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB;
                }
            }
        } catch (IOException | NumberFormatException e) {
            // It has ended meanwhile, or is none of ours.
        }
        return 0;
    }
}
