package dev.weir.connectors.rabbitmq.broker;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** Everything that is logged while this is open, by the connector and the client library at every level. */
public final class SeenLogs extends AbstractAppender implements AutoCloseable {

    private static final List<String> LOGGERS = List.of("dev.weir", "com.rabbitmq");

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);

    private SeenLogs() {
        super("seen", null, null, true, Property.EMPTY_ARRAY);
    }

    public static SeenLogs ofEverything() {
        SeenLogs seen = new SeenLogs();
        seen.start();
        Configuration configuration = seen.context.getConfiguration();
        configuration.getRootLogger().addAppender(seen, Level.ALL, null);
        for (String name : LOGGERS) {
            LoggerConfig all = new LoggerConfig(name, Level.ALL, false);
            all.addAppender(seen, Level.ALL, null);
            configuration.removeLogger(name);
            configuration.addLogger(name, all);
        }
        seen.context.updateLoggers();
        return seen;
    }

    @Override
    public void append(LogEvent event) {
        lines.add(event.getMessage().getFormattedMessage());
        for (Throwable at = event.getThrown(); at != null; at = at.getCause()) {
            lines.add(at.toString());
        }
    }

    public List<String> containing(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        context.reconfigure();
        stop();
    }
}
