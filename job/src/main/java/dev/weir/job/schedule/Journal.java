package dev.weir.job.schedule;

import dev.weir.job.wire.Inbound;
import dev.weir.protocol.Json;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.Urls;
import dev.weir.scheduler.api.Event;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an operator looks for in the log: tasks, commands, limits and rejected messages, a line each. Texts of others stay JSON, so each is one line. */
final class Journal {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private static final int MOST_LIMITS = 200;

    private Journal() {}

    /** A message is taken; only commands have a line, since tasks announce themselves. */
    static void arrived(Event event) {
        if (event instanceof Event.CommandArrived arrived && LOG.isInfoEnabled()) {
            LOG.info("Command {}", text(arrived.command()));
        }
    }

    static void announced(TaskEvent event) {
        if (LOG.isInfoEnabled()) {
            LOG.info(
                    "Task {} {}, jobs {}{}",
                    event.taskUid(),
                    event.state().wireName(),
                    text(event.counts()),
                    event.reason() == null ? "" : ", because " + text(event.reason()));
        }
    }

    /** After a start and after each limit command. */
    static void limits(List<String> inForce) {
        if (!inForce.isEmpty() && LOG.isInfoEnabled()) {
            int more = Math.max(0, inForce.size() - MOST_LIMITS);
            LOG.info(
                    "Limits in force: {}{}",
                    text(inForce.subList(0, inForce.size() - more)),
                    more == 0 ? "" : " and " + more + " more");
        }
    }

    static void rejected(Inbound message, String reason) {
        if (LOG.isInfoEnabled()) {
            LOG.info("Rejected a message from {}: {}", message.queue(), text(String.valueOf(reason)));
        }
    }

    private static String text(Object value) {
        return Urls.withoutSecrets(new String(Json.write(value), StandardCharsets.UTF_8));
    }
}
