package dev.weir.cli.demo;

import dev.weir.cli.embedded.LocalPorts;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The size of the demo.
 *
 * @param data its directory; outputs stay there until the next demo
 * @param tasks number of tasks that read local files, 4 to 1000; one more task merges
 * @param files number of files of each task, 8 to 100,000
 * @param pilots number of pilots, 2 to 64; the last one has a GPU
 * @param timeout after which the demo stops
 */
public record DemoSettings(Path data, int tasks, int files, int pilots, Duration timeout, LocalPorts ports) {

    public DemoSettings {
        within("--tasks", tasks, 4, 1000);
        within("--files", files, 8, 100_000);
        within("--pilots", pilots, 2, 64);
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("--timeout must be positive, got " + timeout);
        }
    }

    private static void within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be from " + least + " to " + most + ", got " + value);
        }
    }
}
