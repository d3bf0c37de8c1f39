package dev.weir.bench.system;

import dev.weir.bench.BenchmarkContext;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code ./weir run} with the heap and the options of Java that {@code ./weir} gives it. */
final class DefaultWeir {

    static final long HEAP_MIB = 2_048;

    private DefaultWeir() {}

    /** A directory that is new each time: Weir would go on from the checkpoints of the run before. */
    static Path newDirectory(BenchmarkContext context) throws IOException {
        return Files.createTempDirectory(context.directory(), "run-");
    }

    /**
     * Starts it.
     *
     * @param collections a file for what the collector does, which {@link Footprint} reads
     */
    static WeirProcess start(Site site, Path collections) throws IOException, InterruptedException {
        return site.run(
                "-Xmx" + HEAP_MIB + "m",
                "-XX:+UseG1GC",
                "-XX:+UseTransparentHugePages",
                "-Xlog:gc:file=" + collections.toAbsolutePath());
    }
}
