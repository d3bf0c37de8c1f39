package dev.weir.cli.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class logs until this is closed. */
public final class LogLines extends AbstractAppender implements AutoCloseable {

    private final Logger logger;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    public LogLines(Class<?> of) {
        super("lines of " + of.getName(), null, null, true, Property.EMPTY_ARRAY);
        logger = (Logger) LogManager.getLogger(of);
        start();
        logger.addAppender(this);
    }

    @Override
    public void append(LogEvent event) {
        lines.add(event.getMessage().getFormattedMessage());
    }

    public List<String> seen() {
        return lines;
    }

    @Override
    public void close() {
        logger.removeAppender(this);
        stop();
    }
}
