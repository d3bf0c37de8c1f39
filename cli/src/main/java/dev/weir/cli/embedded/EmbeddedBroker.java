package dev.weir.cli.embedded;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.SystemConfig;

/**
 * An AMQP 0-9-1 broker (Apache Qpid Broker-J) in this process, on the loopback address only. Queues, bindings and persistent
 * messages are kept in its directory, and a new start there continues with them. Clients may rely only on features
 * that RabbitMQ has as well; it refuses RabbitMQ's own queue arguments.
 */
public final class EmbeddedBroker implements AutoCloseable {

    /** Disk usage in percent above which producers are stopped. The broker's default of 90 would stop many laptops. */
    private static final String MAX_DISK_USAGE_PERCENT = "99";

    /** Body bytes of queued messages above which they move from memory to the store. */
    private static final String FLOW_TO_DISK_BYTES = String.valueOf(128L << 20);

    private final SystemLauncher launcher;
    private final int port;
    private final Secret secret;

    private EmbeddedBroker(SystemLauncher launcher, int port, Secret secret) {
        this.launcher = launcher;
        this.port = port;
        this.secret = secret;
    }

    /**
     * Starts a broker, with the data of an earlier one in this directory.
     *
     * @param directory for all data; made if absent; for one broker at a time
     * @param port to listen on; must be free
     * @param secret the only user that may connect
     * @throws IOException when it cannot start, e.g. because the port is taken
     */
    public static EmbeddedBroker start(Path directory, int port, Secret secret) throws IOException {
        Files.createDirectories(directory);
        // Otherwise the store writes a derby.log into the current directory.
        System.setProperty(
                "derby.stream.error.method", "org.apache.qpid.server.store.derby.DerbyUtils.getDerbyLogWriter");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        SystemLauncher launcher = new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {
            @Override
            public void errorOnStartup(RuntimeException e) {
                failure.set(e);
            }
        });
        try {
            launcher.startup(configuration(directory, port, secret));
        } catch (Exception e) {
            failure.set(e);
        }
        if (failure.get() != null) {
            throw new IOException(
                    "the embedded broker does not start on 127.0.0.1:" + port + " in " + directory + ": "
                            + failure.get().getMessage(),
                    failure.get());
        }
        return new EmbeddedBroker(launcher, port, secret);
    }

    private static Map<String, Object> configuration(Path directory, int port, Secret secret) {
        URL layout = Objects.requireNonNull(EmbeddedBroker.class.getResource("broker.json"));
        Map<String, String> context = new HashMap<>();
        context.put("weir.broker.user", secret.user());
        context.put("weir.broker.password", secret.password());
        context.put("weir.broker.port", String.valueOf(port));
        context.put("weir.broker.directory", directory.toAbsolutePath().toString());
        context.put("qpid.work_dir", directory.toAbsolutePath().toString());
        context.put("store.filesystem.maxUsagePercent", MAX_DISK_USAGE_PERCENT);
        context.put("broker.flowToDiskThreshold", FLOW_TO_DISK_BYTES);
        context.put("broker.failStartupWithErroredChild", "true");
        context.put("broker.failStartupWithErroredChildScope", "ALL");
        // As in RabbitMQ: a mandatory message without a queue is returned, and the connection stays open.
        context.put("qpid.port.closeWhenNoRoute", "false");
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.INITIAL_CONFIGURATION_LOCATION, layout.toExternalForm());
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, "false");
        attributes.put(SystemConfig.CONTEXT, context);
        return attributes;
    }

    public int port() {
        return port;
    }

    public String user() {
        return secret.user();
    }

    /** The URI with user and password: for programs, not for logs. */
    public String uri() {
        return "amqp://" + secret.user() + ":" + secret.password() + "@127.0.0.1:" + port;
    }

    /** Stops the broker and waits, at most half a minute, until its store is closed. */
    @Override
    public void close() {
        launcher.shutdown();
    }
}
