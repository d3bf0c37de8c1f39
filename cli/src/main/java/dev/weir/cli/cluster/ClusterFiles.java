package dev.weir.cli.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The data directory of a cluster on this machine.
 *
 * @param root absolute
 */
public record ClusterFiles(Path root) {

    private static final String JOB_MANAGER = "jobmanager";
    private static final String TASK_MANAGER = "taskmanager-";
    private static final String WEB_PORT = "rest.port";
    private static final String RPC_PORT = "jobmanager.rpc.port";
    private static final String TLS = "security.ssl.rest.enabled";

    /** Throws IllegalArgumentException for a path with blanks, which the shell script that starts Flink would take apart. */
    public static ClusterFiles in(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        if (root.toString().chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("the data directory '" + root
                    + "' has a blank in its path, with which Flink cannot be started; choose another with --data");
        }
        return new ClusterFiles(root);
    }

    PidFile jobManager() {
        return PidFile.in(root.resolve("pids"), JOB_MANAGER);
    }

    PidFile taskManager(int number) {
        return PidFile.in(root.resolve("pids"), TASK_MANAGER + number);
    }

    /** Of all TaskManagers that were started and not stopped since, living or not. */
    List<PidFile> taskManagers() throws IOException {
        List<PidFile> found = new ArrayList<>();
        if (Files.exists(root.resolve("pids"))) {
            try (Stream<Path> files = Files.list(root.resolve("pids"))) {
                files.filter(file -> file.getFileName().toString().startsWith(TASK_MANAGER))
                        .sorted()
                        .forEach(file -> found.add(new PidFile(file)));
            }
        }
        return found;
    }

    /** The directory of one process's log files. */
    public Path logs(String process) {
        return root.resolve("logs").resolve(process);
    }

    Path checkpoints() {
        return root.resolve("checkpoints");
    }

    /** Of all processes. */
    Path working() {
        return root.resolve("working");
    }

    /** What one process works on; not needed any more when it has ended. */
    Path working(String process) {
        return working().resolve(process);
    }

    /** The port of the web UI and the REST API, if a cluster was started here. */
    OptionalInt webPort() throws IOException {
        return port(WEB_PORT);
    }

    OptionalInt rpcPort() throws IOException {
        return port(RPC_PORT);
    }

    /** Whether the REST API that was started here takes only TLS. */
    boolean isTls() throws IOException {
        return Boolean.parseBoolean(ports().getProperty(TLS));
    }

    private Properties ports() throws IOException {
        Properties ports = new Properties();
        if (Files.exists(portsFile())) {
            try (InputStream in = Files.newInputStream(portsFile())) {
                ports.load(in);
            }
        }
        return ports;
    }

    private OptionalInt port(String name) throws IOException {
        String port = ports().getProperty(name, "");
        return port.matches("\\d{1,5}") ? OptionalInt.of(Integer.parseInt(port)) : OptionalInt.empty();
    }

    void writePorts(int web, int rpc, boolean tls) throws IOException {
        Properties ports = new Properties();
        ports.setProperty(WEB_PORT, String.valueOf(web));
        ports.setProperty(RPC_PORT, String.valueOf(rpc));
        ports.setProperty(TLS, String.valueOf(tls));
        try (OutputStream out = Files.newOutputStream(portsFile())) {
            ports.store(out, "The ports of the JobManager");
        }
    }

    /** Where config.yaml is when it is made of several files. */
    Path configuration() {
        return root.resolve("conf");
    }

    private Path portsFile() {
        return root.resolve("ports");
    }
}
