package dev.weir.job.options;

import dev.weir.protocol.Names;
import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The broker: where it is, and what queues and exchanges are called there. */
public final class AmqpOptions {

    public static final ConfigOption<String> URI = ConfigOptions.key("weir.amqp.uri")
            .stringType()
            .defaultValue("amqp://localhost:5672/%2f")
            .withDescription(
                    "Where the broker is: amqp://host:port/vhost, or amqps:// for TLS with hostname verification."
                            + " User and password may stand in it, but weir.amqp.password-file keeps them out of listings.");

    public static final ConfigOption<String> USER = ConfigOptions.key("weir.amqp.user")
            .stringType()
            .noDefaultValue()
            .withDescription("The user, when the URI has none. Without either: guest.");

    public static final ConfigOption<String> PASSWORD = ConfigOptions.key("weir.amqp.password")
            .stringType()
            .noDefaultValue()
            .withDescription("The password, when the URI has none. Flink hides it in its listings.");

    public static final ConfigOption<String> PASSWORD_FILE = ConfigOptions.key("weir.amqp.password-file")
            .stringType()
            .noDefaultValue()
            .withDescription("A file whose first line is the password; it wins over weir.amqp.password.");

    public static final ConfigOption<Boolean> DECLARE = ConfigOptions.key("weir.amqp.declare")
            .booleanType()
            .defaultValue(true)
            .withDescription(
                    "Whether the jobs declare the queues, exchanges and bindings below when they start. Off: an"
                            + " operator has made them, perhaps with arguments of his own.");

    public static final ConfigOption<Integer> PREFETCH = ConfigOptions.key("weir.amqp.prefetch")
            .intType()
            .defaultValue(20_000)
            .withDescription("Most messages that a source holds unacknowledged, 1 to 65535. It must cover what arrives"
                    + " between two checkpoints, twice over, because acknowledgement follows checkpoints.");

    public static final ConfigOption<Integer> MAX_IN_FLIGHT = ConfigOptions.key("weir.amqp.max-in-flight")
            .intType()
            .defaultValue(5_000)
            .withDescription(
                    "Most messages that a sink has published and the broker has not confirmed; then it waits.");

    public static final ConfigOption<Duration> CONFIRM_TIMEOUT = ConfigOptions.key("weir.amqp.confirm-timeout")
            .durationType()
            .defaultValue(Duration.ofSeconds(30))
            .withDescription(
                    "How long a checkpoint waits for the broker's confirms; what is unconfirmed then becomes part of it.");

    public static final ConfigOption<String> EXCHANGE =
            name("exchange", Names.EXCHANGE, "Direct exchange that tasks, commands and reports are sent to.");
    public static final ConfigOption<String> TASKS = name("queue.tasks", Names.TASKS, "Queue of tasks, from WFMS.");
    public static final ConfigOption<String> COMMANDS =
            name("queue.commands", Names.COMMANDS, "Queue of commands, from the gateway and operators.");
    public static final ConfigOption<String> REPORTS =
            name("queue.reports", Names.REPORTS, "Queue of reports, from pilots and from Weir itself.");
    public static final ConfigOption<String> PAGES =
            name("queue.pages", Names.PAGES, "Queue of requests for pages, from Weir to itself.");
    public static final ConfigOption<String> MIRROR =
            name("queue.mirror", Names.MIRROR, "Queue of row changes, from the schedule job to the mirror job.");
    public static final ConfigOption<String> REJECTED =
            name("queue.rejected", Names.REJECTED, "Queue of messages that could not be taken, for operators.");
    public static final ConfigOption<String> DSM_REGISTER =
            name("queue.dsm-register", Names.DSM_REGISTER, "Queue of registrations and closes, to DSM.");
    public static final ConfigOption<String> JOBS_PREFIX =
            name("queue.jobs-prefix", Names.JOBS_PREFIX, "Queues of jobs are called this and the name of their pool.");
    public static final ConfigOption<String> NOTICES =
            name("exchange.notices", Names.NOTICES, "Direct exchange of notices; keys are pilot ids.");
    public static final ConfigOption<String> EVENTS =
            name("exchange.events", Names.EVENTS, "Topic exchange of task events; keys are task.STATE.");

    private AmqpOptions() {}

    private static ConfigOption<String> name(String key, String name, String description) {
        return ConfigOptions.key("weir.amqp." + key)
                .stringType()
                .defaultValue(name)
                .withDescription(description);
    }
}
