package dev.weir.cli.cluster;

import java.io.IOException;
import java.time.Duration;

/** A pause between two looks at another process, which cannot tell when it is ready. */
final class Pause {

    private Pause() {}

    static void of(Duration duration) throws IOException {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for Flink", e);
        }
    }
}
