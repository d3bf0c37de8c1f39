package dev.weir.chaos.world;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.chaos.plan.Target;
import dev.weir.testing.site.Site;
import dev.weir.testing.site.WeirProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code ./weir cluster start} and {@code ./weir submit} start: JobManager and TaskManager. A supervisor would call them, too. */
final class SessionCluster implements Flink {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> JOBS = List.of("schedule", "mirror", "queues");
    private static final Duration LIMIT = Duration.ofMinutes(6);

    /** For a machine with two processors. */
    private static final Map<String, String> SETTINGS = Map.of(
            "jobmanager.memory.process.size", "768m",
            "taskmanager.memory.process.size", "1600m",
            "taskmanager.numberOfTaskSlots", "3",
            "taskmanager.memory.managed.size", "256m",
            "execution.checkpointing.interval", "1s");

    private final Site site;
    private final Path data;
    private final Path checkpoints;
    private final Thread atExit = new Thread(this::kill);
    private volatile List<Long> pids = List.of();
    private URI rest;

    SessionCluster(Site site, Path directory, Path checkpoints) {
        this.site = site;
        this.data = directory.resolve("cluster");
        this.checkpoints = checkpoints;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cluster", "start", "--json", "--data", data.toString()));
        SETTINGS.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
        command.addAll(List.of("-D", "execution.checkpointing.dir=file://" + checkpoints));
        JsonNode state = weir(command);
        List<Long> now = new ArrayList<>();
        state.path("processes").forEach(process -> now.add(process.path("pid").asLong()));
        pids = List.copyOf(now);
        rest = URI.create(state.path("rest").asText());
        List<String> lost =
                JOBS.stream().filter(job -> !runs(state.path("jobs"), job)).toList();
        if (lost.size() == JOBS.size()) {
            submit(List.of());
            return;
        }
        for (String job : lost) {
            submit(List.of("--job", job));
        }
    }

    private void submit(List<String> which) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("submit", "--json", "--data", data.toString()));
        command.addAll(List.of("--config", site.configuration().toString()));
        command.addAll(which);
        weir(command);
    }

    private static boolean runs(JsonNode jobs, String name) {
        for (JsonNode job : jobs) {
            boolean over = List.of("FAILED", "CANCELED", "FINISHED")
                    .contains(job.path("state").asText());
            if (job.path("name").asText().equals("weir " + name) && !over) {
                return true;
            }
        }
        return false;
    }

    private JsonNode weir(List<String> command) throws IOException, InterruptedException {
        String home = System.getProperty("weir.home", "");
        List<String> jvm = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dweir.home=" + home);
        try (WeirProcess process = site.start("cluster", jvm, WeirProcess.WEIR, command, "")) {
            String said = process.awaitEnd(LIMIT);
            Optional<String> last =
                    said.lines().filter(line -> line.startsWith("{")).reduce((earlier, later) -> later);
            return JSON.readTree(
                    last.orElseThrow(() -> new IOException("no JSON from ./weir " + command + ": " + said)));
        }
    }

    @Override
    public List<Target> targets() {
        return List.of(Target.TASK_MANAGER, Target.JOB_MANAGER);
    }

    @Override
    public Optional<ProcessHandle> process(Target target) {
        return ProcessHandle.of(pids.get(target == Target.JOB_MANAGER ? 0 : 1)).filter(ProcessHandle::isAlive);
    }

    @Override
    public URI rest() {
        return rest;
    }

    @Override
    public Map<String, String> logs() {
        return Map.of("cluster", data.resolve("logs").toString());
    }

    private void kill() {
        pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        weir(List.of("cluster", "stop", "--json", "--data", data.toString()));
        kill();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // This JVM ends at this moment, and the hook runs.
        }
    }
}
