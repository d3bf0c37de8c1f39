package dev.weir.cli.demo;

import dev.weir.cli.embedded.LocalPorts;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How large the demo is.
 *
 * @param data its directory; outputs stay there until the next demo
 * @param tasks that read files of this machine, 4 to 1000; one more merges
 * @param files of each, 8 to 100,000
 * @param pilots 2 to 64; the last one has a GPU
 * @param timeout after which it gives up
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
