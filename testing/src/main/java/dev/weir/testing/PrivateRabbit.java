package dev.weir.testing;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A RabbitMQ of our own, with its own name, ports and directory, which tests may kill and whose accounts they may make. */
public class PrivateRabbit implements AutoCloseable {

    private static final String SERVER = "/usr/lib/rabbitmq/bin/rabbitmq-server";
    private static final String CONTROL = "/usr/lib/rabbitmq/bin/rabbitmqctl";
    private static final int START_LOOKS = 720;
    private static final long LOOK_MILLIS = 250;
    /** How long it may take to answer on a busy machine. */
    private static final int PATIENCE_MILLIS = 60_000;

    private final Path home = Files.createTempDirectory("weir-rabbit");
    private final int port = freePort();
    private final int distribution = freePort();
    private final int names = freePort();
    private Process server;

    /**
     * Starts it.
     *
     * @param settings further lines of rabbitmq.conf
     * @throws IOException if it ends or does not answer within three minutes
     */
    public PrivateRabbit(List<String> settings) throws IOException {
        Files.writeString(home.resolve("enabled_plugins"), "[].");
        Files.writeString(home.resolve("env"), "");
        List<String> lines = new ArrayList<>(settings);
        lines.add("listeners.tcp.1 = 127.0.0.1:" + port);
        lines.add("loopback_users = none");
        Files.write(home.resolve("rabbitmq.conf"), lines);
        start();
    }

    /** Whether RabbitMQ is installed; an error if it is not but required. */
    public static boolean isInstalled() {
        boolean there = Files.isExecutable(Path.of(SERVER));
        if (!there && Services.required()) {
            throw new AssertionError("WEIR_REQUIRE_SERVICES=1, but " + SERVER + " is not installed");
        }
        return there;
    }

    /** Starts it, with the data that it had. */
    public final void start() throws IOException {
        server = process(SERVER).start();
        for (int look = 0; look < START_LOOKS; look++) {
            if (hasEndedWithin(LOOK_MILLIS)) {
                throw new IOException("RabbitMQ ended; see " + home);
            }
            try (Connection there = connect()) {
                return;
            } catch (IOException e) {
                // Not yet.
            }
        }
        throw new IOException("RabbitMQ does not answer; see " + home);
    }

    private boolean hasEndedWithin(long millis) throws IOException {
        try {
            return server.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while RabbitMQ starts", e);
        }
    }

    /** A new connection as the administrator, without automatic recovery. */
    public Connection connect() throws IOException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHandshakeTimeout(PATIENCE_MILLIS);
        try {
            factory.setUri(uri());
            return factory.newConnection("weir test");
        } catch (TimeoutException | java.security.GeneralSecurityException | java.net.URISyntaxException e) {
            throw new IOException("no connection to the private RabbitMQ", e);
        }
    }

    private static int freePort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Everything it consists of, the process that started the others first. */
    public List<ProcessHandle> processes() {
        List<ProcessHandle> tree = new ArrayList<>(List.of(server.toHandle()));
        tree.addAll(server.descendants().toList());
        return tree;
    }

    /** SIGKILL, to everything it consists of. */
    public void kill() throws InterruptedException {
        List<ProcessHandle> tree = processes();
        tree.forEach(ProcessHandle::destroyForcibly);
        server.waitFor();
        for (ProcessHandle process : tree) {
            process.onExit().join();
        }
    }

    /** Raises or clears the memory alarm: with it, publishing connections are blocked. Returns when the broker acts on it. */
    public void setMemoryAlarm(boolean on) throws Exception {
        control("set_vm_memory_high_watermark", on ? "0.00001" : "0.8");
        if (!on) {
            return;
        }
        CountDownLatch blocked = new CountDownLatch(1);
        Connection connection = connect();
        try {
            connection.addBlockedListener(reason -> blocked.countDown(), () -> {});
            connection.createChannel().basicPublish("", "nobody", null, new byte[1]);
            if (!blocked.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no connection is blocked by the memory alarm; see " + home);
            }
        } finally {
            // A blocked connection cannot say goodbye.
            connection.abort(1);
        }
    }

    /**
     * Has all that was declared written to disk now. A broker that is killed within seconds of confirming a durable queue forgets it at
     * times, with all that it has confirmed since (3.10.8: one in sixty), and no client can make up for that.
     */
    public void keepDeclarations() throws Exception {
        control("eval", "mnesia:dump_log().");
    }

    /** Adds a user who may do everything. */
    public void addUser(String name, String password) throws Exception {
        addUser(name, password, ".*", ".*", ".*");
    }

    /** Adds a user who may configure, write to and read from what these expressions match, on the default virtual host. */
    public void addUser(String name, String password, String configure, String write, String read) throws Exception {
        control("add_user", name, password);
        control("set_permissions", name, configure, write, read);
    }

    /** Adds a virtual host without permissions yet. */
    public void addVirtualHost(String name) throws Exception {
        control("add_vhost", name);
    }

    /** Imports definitions, such as accounts, from standard input. */
    public void importDefinitions(Path file) throws Exception {
        control(ProcessBuilder.Redirect.from(file.toFile()), "import_definitions");
    }

    /** How many messages a queue holds, ready or unacknowledged. */
    public long held(String queue) throws Exception {
        return control("list_queues", "--no-table-headers", "name", "messages").stream()
                .map(line -> line.split("\\s+"))
                .filter(fields -> fields[0].equals(queue))
                .mapToLong(fields -> Long.parseLong(fields[1]))
                .sum();
    }

    /** The name of the policy that counts for a queue; empty if none does. */
    public String policy(String virtualHost, String queue) throws Exception {
        return control("list_queues", "-p", virtualHost, "--no-table-headers", "name", "policy").stream()
                .filter(line -> line.startsWith(queue + "\t"))
                .map(line -> line.substring(queue.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    /** What rabbitmqctl answers to a command. */
    private List<String> control(String... command) throws Exception {
        return control(ProcessBuilder.Redirect.PIPE, command);
    }

    private List<String> control(ProcessBuilder.Redirect input, String... command) throws Exception {
        Path answer = Files.createTempFile(home, "answer", "");
        List<String> all = new ArrayList<>(List.of(CONTROL, "-q", "-n", node()));
        all.addAll(List.of(command));
        Process control = process(all.toArray(String[]::new))
                .redirectInput(input)
                .redirectOutput(answer.toFile())
                .start();
        if (!control.waitFor(60, TimeUnit.SECONDS) || control.exitValue() != 0) {
            throw new IllegalStateException("rabbitmqctl " + command[0] + " failed; see " + home);
        }
        return Files.readAllLines(answer);
    }

    private String node() {
        return "weir-" + port + "@localhost";
    }

    private ProcessBuilder process(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        File log = home.resolve("output").toFile();
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.environment()
                .putAll(Map.of(
                        "HOME", home.toString(),
                        "RABBITMQ_NODENAME", node(),
                        "RABBITMQ_DIST_PORT", String.valueOf(distribution),
                        "RABBITMQ_MNESIA_BASE", home.resolve("data").toString(),
                        "RABBITMQ_LOG_BASE", home.resolve("log").toString(),
                        "RABBITMQ_ENABLED_PLUGINS_FILE",
                                home.resolve("enabled_plugins").toString(),
                        "RABBITMQ_CONFIG_FILE", home.resolve("rabbitmq.conf").toString(),
                        "RABBITMQ_CONF_ENV_FILE", home.resolve("env").toString(),
                        "ERL_EPMD_PORT", String.valueOf(names)));
        return builder;
    }

    /** Where it is, with the name and password of its administrator. */
    public String uri() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    @Override
    public void close() throws Exception {
        kill();
        process("epmd", "-port", String.valueOf(names), "-kill").start().waitFor(10, TimeUnit.SECONDS);
        try (Stream<Path> files = Files.walk(home)) {
            files.sorted(java.util.Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
