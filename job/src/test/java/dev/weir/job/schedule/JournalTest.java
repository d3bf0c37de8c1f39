package dev.weir.job.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.job.options.SchedulingOptions;
import dev.weir.job.wire.Inbound.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JournalTest {

    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private final AbstractAppender listener = new AbstractAppender("listener", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
        }
    };

    private static Logger logger() {
        Configurator.setLevel(Journal.class.getName(), Level.INFO);
        return (Logger) LogManager.getLogger(Journal.class);
    }

    @BeforeEach
    void listen() {
        listener.start();
        logger().addAppender(listener);
    }

    @AfterEach
    void leave() {
        logger().removeAppender(listener);
        listener.stop();
    }

    @Test
    void theLogHasALineForATaskACommandAndARejectedMessage() throws Exception {
        try (OperatorOnTheBench operator = new OperatorOnTheBench(new Configuration())) {
            operator.task("t", "a");
            operator.arrive(
                    Kind.COMMAND,
                    "weir.commands",
                    "{\"id\":\"c1\",\"at\":\"2026-11-24T00:00:00Z\",\"by\":\"eve\\nx\",\"type\":\"pause\",\"task_uid\":\"t\"}"
                            .getBytes(StandardCharsets.UTF_8));
            operator.arrive(Kind.TASK, "weir.tasks", "{}".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(lines).anyMatch(line -> line.startsWith("Task t accepted, jobs {"));
        assertThat(lines).anyMatch(line -> line.startsWith("Command {\"id\":\"c1\"") && line.contains("\"eve\\nx\""));
        assertThat(lines).anyMatch(line -> line.startsWith("Rejected a message from weir.tasks: "));
    }

    @Test
    void theLogListsTheLimitsInForceAtTheStartAndAfterEachLimitCommand() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(SchedulingOptions.GROUP_RULES, List.of("host,max-in-flight=5"));
        try (OperatorOnTheBench operator = new OperatorOnTheBench(configuration)) {
            operator.task("t", "a");
            operator.arrive(
                    Kind.COMMAND,
                    "weir.commands",
                    "{\"id\":\"c1\",\"at\":0,\"type\":\"limit\",\"group\":\"host:h\",\"max_in_flight\":2}"
                            .getBytes(StandardCharsets.UTF_8));
            operator.task("u", "b");
        }

        assertThat(lines)
                .filteredOn(line -> line.startsWith("Limits"))
                .containsExactly(
                        "Limits in force: [\"each group of rule host: 5 in flight\"]",
                        "Limits in force: [\"each group of rule host: 5 in flight\","
                                + "\"host:h: 2 in flight (by command)\"]");
    }
}
