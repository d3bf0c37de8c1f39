package dev.weir.pilot.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How often the kernel has killed a process because memory ran out: in this process's control group (v2) when it has one, else on the
 * whole machine. A program that was killed while this number rose was killed by it.
 */
final class OomKills {

    private final Path counters;

    private OomKills(Path counters) {
        this.counters = counters;
    }

    static OomKills ofThisMachine() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                Path events = Path.of("/sys/fs/cgroup", line.substring(line.lastIndexOf(':') + 1), "memory.events");
                if (line.startsWith("0::") && Files.isReadable(events)) {
                    return new OomKills(events);
                }
            }
        } catch (IOException e) {
            // Not Linux; the next file is not there either, and the count stays 0.
        }
        return new OomKills(Path.of("/proc/vmstat"));
    }

    long count() {
        try {
            List<String> lines = Files.readAllLines(counters);
            for (String line : lines) {
                if (line.startsWith("oom_kill ")) {
                    return Long.parseLong(line.substring("oom_kill ".length()).strip());
                }
            }
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return 0;
    }
}
