package dev.weir.connectors.rabbitmq.broker;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Connection;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A RabbitMQ of our own, with its own name, ports and directory, which tests may kill. */
public final class PrivateRabbit implements TestBroker {

    private static final String SERVER = "/usr/lib/rabbitmq/bin/rabbitmq-server";
    private static final String CONTROL = "/usr/lib/rabbitmq/bin/rabbitmqctl";

    private final Path home;
    private final int port = FreePort.next();
    private final int distribution = FreePort.next();
    private final int names = FreePort.next();
    private Process server;

    private PrivateRabbit(Path home) {
        this.home = home;
    }

    /** Starts it; skips the test if RabbitMQ is not installed, unless WEIR_REQUIRE_SERVICES asks for a failure. */
    public static PrivateRabbit orSkip() throws IOException {
        return orSkip(List.of());
    }

    /** The same with further lines of rabbitmq.conf. */
    public static PrivateRabbit orSkip(List<String> settings) throws IOException {
        boolean there = Files.isExecutable(Path.of(SERVER));
        if (!there && "1".equals(System.getenv("WEIR_REQUIRE_SERVICES"))) {
            throw new IllegalStateException("WEIR_REQUIRE_SERVICES=1, but " + SERVER + " is not installed");
        }
        assumeTrue(there, SERVER + " is not installed");
        PrivateRabbit rabbit = new PrivateRabbit(Files.createTempDirectory("weir-rabbit"));
        Files.writeString(rabbit.home.resolve("enabled_plugins"), "[].");
        Files.writeString(rabbit.home.resolve("env"), "");
        List<String> lines = new ArrayList<>(settings);
        lines.add("listeners.tcp.1 = 127.0.0.1:" + rabbit.port);
        lines.add("loopback_users = none");
        Files.write(rabbit.home.resolve("rabbitmq.conf"), lines);
        rabbit.start();
        return rabbit;
    }

    public void start() throws IOException {
        server = process(SERVER).start();
        await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofMillis(250))
                .ignoreExceptions()
                .until(() -> {
                    if (!server.isAlive()) {
                        throw new IllegalStateException("RabbitMQ ended; see " + home);
                    }
                    connect().close();
                    return true;
                });
    }

    /** SIGKILL, to everything it consists of. */
    public void kill() throws InterruptedException {
        List<ProcessHandle> tree = new ArrayList<>(server.descendants().toList());
        server.destroyForcibly();
        tree.forEach(ProcessHandle::destroyForcibly);
        server.waitFor();
        await().until(() -> tree.stream().noneMatch(ProcessHandle::isAlive));
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

    /** Adds a virtual host that nobody may use yet. */
    public void addVirtualHost(String name) throws Exception {
        control("add_vhost", name);
    }

    /** How many messages a queue holds, ready or unacknowledged. */
    public long held(String queue) throws Exception {
        return control("list_queues", "--no-table-headers", "name", "messages").stream()
                .map(line -> line.split("\\s+"))
                .filter(fields -> fields[0].equals(queue))
                .mapToLong(fields -> Long.parseLong(fields[1]))
                .sum();
    }

    /** What rabbitmqctl answers to a command. */
    private List<String> control(String... command) throws Exception {
        Path answer = Files.createTempFile(home, "answer", "");
        List<String> all = new ArrayList<>(List.of(CONTROL, "-q", "-n", node()));
        all.addAll(List.of(command));
        Process control = process(all.toArray(String[]::new))
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

    @Override
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
