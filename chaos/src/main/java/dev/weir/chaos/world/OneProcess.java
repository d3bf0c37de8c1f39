package dev.weir.chaos.world;

import dev.weir.chaos.plan.Target;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code ./weir run}. */
final class OneProcess implements Flink {

    private static final String WEB = "Flink: ";

    private final Site site;
    private final Path logs;
    private WeirProcess process;

    OneProcess(Site site, Path directory, Path checkpoints) {
        this.site = site.with("execution.checkpointing.dir", "file://" + checkpoints);
        this.logs = directory.resolve("logs");
    }

    @Override
    public void start() throws IOException, InterruptedException {
        if (process == null || !process.isAlive()) {
            process = site.run("-Xmx768m", "-XX:TieredStopAtLevel=1");
        }
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.WEIR);
    }

    @Override
    public Optional<ProcessHandle> process(Target target) {
        return ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive);
    }

    @Override
    public URI rest() {
        return process.output()
                .lines()
                .filter(line -> line.startsWith(WEB))
                .reduce((earlier, later) -> later)
                .map(line -> URI.create(line.substring(WEB.length())).resolve("/"))
                .orElseThrow(() -> new IllegalStateException("./weir run has not said where Flink is"));
    }

    @Override
    public Map<String, String> logs() {
        return Map.of("weir", logs.resolve("run.out").toString());
    }

    @Override
    public void close() throws InterruptedException {
        if (process != null) {
            process.close();
        }
    }
}
