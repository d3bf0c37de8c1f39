package dev.weir.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.embedded.DataDirectory;
import dev.weir.cli.embedded.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * A session cluster of separate processes on this machine: one JobManager and some TaskManagers, which outlive this process. All their
 * data is in one directory; they listen on the loopback address only.
 */
public final class LocalCluster {

    private static final String HOST = "127.0.0.1";
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final ClusterFiles files;

    public LocalCluster(ClusterFiles files) {
        this.files = files;
    }

    /** The address of its REST API; empty if no cluster was started in this directory. */
    public Optional<URI> rest() throws IOException {
        OptionalInt port = files.webPort();
        String scheme = files.isTls() ? "https" : "http";
        return port.isPresent()
                ? Optional.of(URI.create(scheme + "://" + HOST + ":" + port.getAsInt() + "/"))
                : Optional.empty();
    }

    /**
     * Starts what does not run yet: the JobManager and this many TaskManagers. Returns when all know each other. If the JobManager has died,
     * TaskManagers that it has left are replaced as well, unless high availability is set: then they find the new one.
     *
     * @param configuration of the processes that are started now
     * @param webPort of the web UI; 0 for that of the last start, or else any free one
     * @param limit of the wait
     * @return the names of the processes that were started; the others ran already
     * @throws IOException when a process ends, or not all is ready within the limit; what was started now is stopped again
     */
    public List<String> start(
            Home home, ClusterConfiguration configuration, int taskManagers, int webPort, Duration limit)
            throws IOException {
        try (DataDirectory lock = DataDirectory.open(files.root())) {
            List<PidFile> started = new ArrayList<>();
            try {
                PidFile jobManager = files.jobManager();
                Set<String> known = Set.of();
                if (jobManager.living().isPresent()) {
                    known = registered(new FlinkCluster(rest().orElseThrow())).orElse(Set.of());
                } else {
                    if (!configuration.isHighlyAvailable()) {
                        // A new one knows nothing of the jobs that these still run, and listens elsewhere.
                        for (PidFile left : files.taskManagers()) {
                            var unused = left.end(STOP_LIMIT);
                        }
                    }
                    choosePorts(webPort, configuration.isTls());
                }
                Path directory = configuration.write(files.configuration());
                for (PidFile process : processes(taskManagers)) {
                    if (process.living().isEmpty()) {
                        String role = process.equals(jobManager) ? "session-jobmanager" : "session-taskmanager";
                        Map<String, String> all = configuration.over(settings(process));
                        started.add(process);
                        process.write(FlinkProcess.start(home, role, directory, files.logs(process.name()), all));
                    }
                }
                long newOnes = started.stream()
                        .filter(process -> !process.equals(jobManager))
                        .count();
                awaitWhole(processes(taskManagers), known, newOnes, limit);
            } catch (IOException | RuntimeException e) {
                undo(started, e);
                throw e;
            }
            return started.stream().map(PidFile::name).toList();
        }
    }

    private List<PidFile> processes(int taskManagers) {
        List<PidFile> processes = new ArrayList<>(List.of(files.jobManager()));
        for (int number = 1; number <= taskManagers; number++) {
            processes.add(files.taskManager(number));
        }
        return processes;
    }

    private static void undo(List<PidFile> started, Exception reason) {
        for (PidFile process : started) {
            try {
                var unused = process.end(STOP_LIMIT);
            } catch (IOException e) {
                reason.addSuppressed(e);
            }
        }
    }

    /** Browsers find the web UI of a new JobManager where that of the last one was, if the port is free. */
    private void choosePorts(int wished, boolean tls) throws IOException {
        int web = FreePort.orLast(wished, files.webPort().orElse(0));
        files.writePorts(web, FreePort.any(), tls);
    }

    /** What differs from config.yaml, which is for several machines: addresses, ports and directories, which are made empty. */
    private Map<String, String> settings(PidFile process) throws IOException {
        String web = String.valueOf(files.webPort().orElseThrow());
        Map<String, String> all = new TreeMap<>(Map.of(
                "jobmanager.rpc.address", HOST,
                "jobmanager.rpc.port", String.valueOf(files.rpcPort().orElseThrow()),
                "jobmanager.bind-host", HOST,
                "taskmanager.host", HOST,
                "taskmanager.bind-host", HOST,
                "rest.address", HOST,
                "rest.bind-address", HOST,
                "rest.port", web,
                "rest.bind-port", web));
        // Any free ones: several TaskManagers run side by side.
        for (String port : List.of("taskmanager.rpc.port", "taskmanager.data.port", "blob.server.port")) {
            all.put(port, "0");
        }
        all.put("web.submit.enable", "true");
        all.put("web.cancel.enable", "true");
        // One that was killed has left its files, among them a copy of the state, and nobody else uses them.
        Path working = files.working(process.name());
        DataDirectory.deleteTree(working);
        all.put("web.upload.dir", purpose(working, "uploads"));
        all.put("io.tmp.dirs", purpose(working, "tmp"));
        all.put("process.taskmanager.working-dir", purpose(working, "state"));
        // Not as a Java URI: Flink would take its percent escapes literally.
        all.put("execution.checkpointing.dir", "file://" + files.checkpoints());
        return all;
    }

    private static String purpose(Path working, String name) throws IOException {
        return Files.createDirectories(working.resolve(name)).toString();
    }

    /**
     * @param known the TaskManagers that had registered before: the JobManager takes some seconds to notice that one has died
     * @param newOnes how many were started after that
     */
    private void awaitWhole(List<PidFile> processes, Set<String> known, long newOnes, Duration limit)
            throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        FlinkCluster flink = new FlinkCluster(rest().orElseThrow());
        int expected = processes.size() - 1;
        while (true) {
            for (PidFile process : processes) {
                if (process.living().isEmpty()) {
                    Path logs = files.logs(process.name());
                    throw new IOException(
                            process.name() + " has ended: " + FlinkProcess.lastWords(logs) + "; its log is in " + logs);
                }
            }
            Optional<Set<String>> registered = registered(flink);
            long unknown = registered.stream()
                    .flatMap(Set::stream)
                    .filter(id -> !known.contains(id))
                    .count();
            long here = Math.min(registered.map(Set::size).orElse(0), expected - newOnes + unknown);
            if (registered.isPresent() && here >= expected) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException((registered.isEmpty()
                                ? "the JobManager does not answer at " + flink.rest()
                                : here + " of " + expected + " TaskManagers have registered")
                        + " after " + limit.toSeconds() + " s; the logs are in "
                        + files.logs("jobmanager").getParent());
            }
            Pause.of(LOOK);
        }
    }

    /** The TaskManagers that the JobManager knows; empty if it does not answer. */
    private static Optional<Set<String>> registered(FlinkCluster flink) {
        try {
            return Optional.of(flink.taskManagers());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Processes, what the JobManager says of itself, and its jobs. Does not wait for anything but one answer. */
    public ClusterState state() throws IOException {
        List<ProcessState> processes = new ArrayList<>();
        List<PidFile> pids = new ArrayList<>();
        if (Files.exists(files.jobManager().file())) {
            pids.add(files.jobManager());
        }
        pids.addAll(files.taskManagers());
        for (PidFile process : pids) {
            String name = process.name();
            String log = name.startsWith("taskmanager") ? "taskmanager.log" : "jobmanager.log";
            processes.add(new ProcessState(
                    name,
                    process.living().map(ProcessHandle::pid).orElse(null),
                    files.logs(name).resolve(log)));
        }
        Optional<URI> rest = processes.isEmpty() ? Optional.empty() : rest();
        if (rest.isPresent() && files.jobManager().living().isPresent()) {
            try {
                FlinkCluster flink = new FlinkCluster(rest.get());
                JsonNode overview = flink.overview();
                return new ClusterState(
                        rest.get().toString(),
                        overview.path("flink-version").asText(),
                        overview.path("taskmanagers").asInt(),
                        overview.path("slots-total").asInt(),
                        overview.path("slots-available").asInt(),
                        processes,
                        flink.jobs());
            } catch (IOException e) {
                // It is starting, or hangs: the state without a version says so.
                return new ClusterState(rest.get().toString(), null, 0, 0, 0, processes, List.of());
            }
        }
        return new ClusterState(rest.map(URI::toString).orElse(null), null, 0, 0, 0, processes, List.of());
    }

    /**
     * Ends all processes, TaskManagers last; checkpoints and logs stay.
     *
     * @return the names of the processes that were ended
     */
    public List<String> stop() throws IOException {
        if (!Files.isDirectory(files.root())) {
            return List.of();
        }
        try (DataDirectory lock = DataDirectory.open(files.root())) {
            List<PidFile> all = new ArrayList<>(List.of(files.jobManager()));
            all.addAll(files.taskManagers());
            List<String> ended = new ArrayList<>();
            for (PidFile process : all) {
                if (process.end(STOP_LIMIT)) {
                    ended.add(process.name());
                }
            }
            DataDirectory.deleteTree(files.working());
            return ended;
        }
    }
}
