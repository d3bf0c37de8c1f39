package dev.weir.job.options;

import dev.weir.protocol.Names;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;

/** The broker: its address, and the names of its queues and exchanges. */
public final class AmqpOptions {

    public static final ConfigOption<String> URI = ConfigOptions.key("weir.amqp.uri")
            .stringType()
            .defaultValue("amqp://localhost:5672/%2f")
            .withDescription(
                    "Address of the broker: amqp://host:port/vhost, or amqps:// for TLS with hostname verification."
                            + " It may contain user and password, but weir.amqp.password-file keeps them out of listings.");

    public static final ConfigOption<String> USER = ConfigOptions.key("weir.amqp.user")
            .stringType()
            .noDefaultValue()
            .withDescription("User, if the URI contains none. Default: guest.");

    public static final ConfigOption<String> PASSWORD = ConfigOptions.key("weir.amqp.password")
            .stringType()
            .noDefaultValue()
            .withDescription("Password, if the URI contains none. Flink hides it in its listings.");

    public static final ConfigOption<String> PASSWORD_FILE = ConfigOptions.key("weir.amqp.password-file")
            .stringType()
            .noDefaultValue()
            .withDescription("File whose first line is the password; it overrides weir.amqp.password.");

    public static final ConfigOption<Boolean> DECLARE = ConfigOptions.key("weir.amqp.declare")
            .booleanType()
            .defaultValue(true)
            .withDescription(
                    "Whether the jobs declare the queues, exchanges and bindings below at their start. Switch it off"
                            + " if an operator has declared them, for example with arguments.");

    public static final ConfigOption<Integer> PREFETCH = ConfigOptions.key("weir.amqp.prefetch")
            .intType()
            .defaultValue(20_000)
            .withDescription(
                    "Maximum number of unacknowledged messages of a source, 1 to 65535. Acknowledgement follows"
                            + " checkpoints, so it must cover twice the messages that arrive between two checkpoints.");

    public static final ConfigOption<Integer> MAX_IN_FLIGHT = ConfigOptions.key("weir.amqp.max-in-flight")
            .intType()
            .defaultValue(5_000)
            .withDescription(
                    "Maximum number of published messages of a sink without a confirm, 1 or more; then the sink waits.");

    public static final ConfigOption<Duration> CONFIRM_TIMEOUT = ConfigOptions.key("weir.amqp.confirm-timeout")
            .durationType()
            .defaultValue(Duration.ofSeconds(30))
            .withDescription(
                    "Time, longer than 0, after which checkpoints wait no longer for the broker's confirm of a message; what is"
                            + " unconfirmed then becomes part of them.");

    public static final ConfigOption<String> EXCHANGE = name(
            "exchange",
            Names.EXCHANGE,
            "Direct exchange for tasks, commands and reports, for who may send all of them.");
    public static final ConfigOption<String> SEND_TASKS =
            name("exchange.tasks", Names.SEND_TASKS, "Direct exchange for tasks alone.");
    public static final ConfigOption<String> SEND_COMMANDS =
            name("exchange.commands", Names.SEND_COMMANDS, "Direct exchange for commands alone.");
    public static final ConfigOption<String> SEND_REPORTS =
            name("exchange.reports", Names.SEND_REPORTS, "Direct exchange for reports alone.");
    public static final ConfigOption<String> SEND_REJECTED =
            name("exchange.rejected", Names.SEND_REJECTED, "Direct exchange for messages that DSM rejects.");
    public static final ConfigOption<String> TASKS = name("queue.tasks", Names.TASKS, "Queue of tasks, from WFMS.");
    public static final ConfigOption<String> COMMANDS =
            name("queue.commands", Names.COMMANDS, "Queue of commands, from the gateway and operators.");
    public static final ConfigOption<String> REPORTS =
            name("queue.reports", Names.REPORTS, "Queue of reports, from pilots and from Weir itself.");
    public static final ConfigOption<String> PAGES =
            name("queue.pages", Names.PAGES, "Queue of page requests, from Weir to itself.");
    public static final ConfigOption<String> MIRROR =
            name("queue.mirror", Names.MIRROR, "Queue of row changes, from the schedule job to the mirror job.");
    public static final ConfigOption<String> REJECTED =
            name("queue.rejected", Names.REJECTED, "Queue of rejected messages, for operators.");
    public static final ConfigOption<MemorySize> REJECTED_MAX_BYTES = ConfigOptions.key("weir.amqp.rejected-max-bytes")
            .memoryType()
            .defaultValue(new MemorySize(Names.REJECTED_MAX_BYTES))
            .withDescription(
                    "Maximum size of the queue of rejected messages; beyond it RabbitMQ drops the oldest of them. 0 sets no"
                            + " maximum. It counts when Weir makes the queue; an existing queue is used as it is.");
    public static final ConfigOption<String> DSM_REGISTER =
            name("queue.dsm-register", Names.DSM_REGISTER, "Queue of registrations and closes, to DSM.");
    public static final ConfigOption<String> JOBS_PREFIX =
            name("queue.jobs-prefix", Names.JOBS_PREFIX, "Prefix of the queues of jobs; the name of the pool follows.");
    public static final ConfigOption<String> NOTICES =
            name("exchange.notices", Names.NOTICES, "Direct exchange of notices; keys are pilot ids.");
    public static final ConfigOption<String> EVENTS =
            name("exchange.events", Names.EVENTS, "Topic exchange of task events; keys are task.STATE.");

    public static final ConfigOption<String> SEND_QUEUES =
            name("exchange.queues", Names.SEND_QUEUES, "Direct exchange for what gateways ask of the queues.");
    public static final ConfigOption<String> ITEMS =
            name("queue.items", Names.ITEMS, "Queue of pushes to queues, and of changes to them.");
    public static final ConfigOption<String> DONE =
            name("queue.done", Names.DONE, "Queue of what workers made of their items, and of limits.");
    public static final ConfigOption<String> ASKS =
            name("queue.asks", Names.ASKS, "Queue of pops and questions to queues.");
    public static final ConfigOption<String> ANSWERS =
            name("exchange.answers", Names.ANSWERS, "Direct exchange of answers of the queues; keys are gateways.");

    /** The names of all exchanges and queues but those of jobs, which {@link #JOBS_PREFIX} begins. */
    public static final List<ConfigOption<String>> NAMES = List.of(
            EXCHANGE,
            SEND_TASKS,
            SEND_COMMANDS,
            SEND_REPORTS,
            SEND_REJECTED,
            TASKS,
            COMMANDS,
            REPORTS,
            PAGES,
            MIRROR,
            REJECTED,
            DSM_REGISTER,
            NOTICES,
            EVENTS,
            SEND_QUEUES,
            ITEMS,
            DONE,
            ASKS,
            ANSWERS);

    private static final int MAX_PREFETCH = 65_535;

    private AmqpOptions() {}

    /**
     * Throws, naming the option, if one is out of range. A broker gives a queue that is declared without a name one of its own, and
     * another at each connect.
     */
    static void check(ReadableConfig configuration) {
        NAMES.forEach(option -> Ranges.shortText(configuration, option));
        Ranges.between(configuration, PREFETCH, 1, MAX_PREFETCH);
        Ranges.between(configuration, MAX_IN_FLIGHT, 1, Integer.MAX_VALUE);
        Ranges.positive(configuration, CONFIRM_TIMEOUT);
    }

    private static ConfigOption<String> name(String key, String name, String description) {
        return ConfigOptions.key("weir.amqp." + key)
                .stringType()
                .defaultValue(name)
                .withDescription(description);
    }
}
