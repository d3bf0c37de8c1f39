package dev.weir.testing;

import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.SystemConfig;

/** Apache Qpid Broker-J in this process, in memory, on a free port. */
final class EmbeddedBroker implements AutoCloseable {

    private final SystemLauncher launcher;
    private final int port;

    private EmbeddedBroker(SystemLauncher launcher, int port) {
        this.launcher = launcher;
        this.port = port;
    }

    static EmbeddedBroker start() {
        int port = freePort();
        SystemLauncher launcher = new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {
            @Override
            public void errorOnStartup(RuntimeException e) {
                throw e;
            }
        });
        URL layout = Objects.requireNonNull(EmbeddedBroker.class.getResource("broker.json"));
        Map<String, String> context = new HashMap<>();
        context.put("weir.testing.port", String.valueOf(port));
        context.put("qpid.work_dir", System.getProperty("java.io.tmpdir"));
        context.put("store.filesystem.maxUsagePercent", "99");
        context.put("broker.failStartupWithErroredChild", "true");
        context.put("broker.failStartupWithErroredChildScope", "ALL");
        // As in RabbitMQ: a mandatory message without a queue is returned, and the connection stays open.
        context.put("qpid.port.closeWhenNoRoute", "false");
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.INITIAL_CONFIGURATION_LOCATION, layout.toExternalForm());
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, "false");
        attributes.put(SystemConfig.CONTEXT, context);
        try {
            launcher.startup(attributes);
        } catch (Exception e) {
            throw new IllegalStateException("the embedded broker does not start on port " + port, e);
        }
        return new EmbeddedBroker(launcher, port);
    }

    private static int freePort() {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException("no free port", e);
        }
    }

    String uri() {
        return "amqp://weir:weir@127.0.0.1:" + port;
    }

    @Override
    public void close() {
        launcher.shutdown();
    }
}
