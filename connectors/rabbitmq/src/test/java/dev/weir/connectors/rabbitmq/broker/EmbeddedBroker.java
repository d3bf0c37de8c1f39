package dev.weir.connectors.rabbitmq.broker;

import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.SystemConfig;

/** Apache Qpid Broker-J in this process, in memory. */
public final class EmbeddedBroker implements TestBroker {

    private final int port = FreePort.next();
    private final SystemLauncher launcher =
            new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {
                @Override
                public void errorOnStartup(RuntimeException e) {
                    throw e;
                }
            });

    private EmbeddedBroker() {}

    public static EmbeddedBroker start() {
        EmbeddedBroker broker = new EmbeddedBroker();
        try {
            broker.launcher.startup(broker.attributes());
        } catch (Exception e) {
            throw new IllegalStateException("the embedded broker does not start on port " + broker.port, e);
        }
        return broker;
    }

    private Map<String, Object> attributes() {
        URL layout = Objects.requireNonNull(EmbeddedBroker.class.getResource("/embedded-broker.json"));
        Map<String, String> context = new HashMap<>();
        context.put("connector.tests.port", String.valueOf(port));
        context.put("qpid.work_dir", System.getProperty("java.io.tmpdir"));
        context.put("store.filesystem.maxUsagePercent", "99");
        context.put("broker.failStartupWithErroredChild", "true");
        context.put("broker.failStartupWithErroredChildScope", "ALL");
        // As RabbitMQ does: a mandatory message without a queue is returned, the connection stays.
        context.put("qpid.port.closeWhenNoRoute", "false");
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.INITIAL_CONFIGURATION_LOCATION, layout.toExternalForm());
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, "false");
        attributes.put(SystemConfig.CONTEXT, context);
        return attributes;
    }

    @Override
    public String uri() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    @Override
    public void close() {
        launcher.shutdown();
    }
}
