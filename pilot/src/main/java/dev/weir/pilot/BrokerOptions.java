package dev.weir.pilot;

import dev.weir.pilot.broker.BrokerSettings;
import dev.weir.protocol.Names;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** Where the broker is, and what things are called there. */
final class BrokerOptions {

    @Option(
            names = "--amqp",
            paramLabel = "URL",
            description = "The broker, without a password: amqp://host:port/vhost, or amqps: for TLS; certificates are"
                    + " checked against Java's trust store. Default: --amqp-file, else the environment variable WEIR_AMQP_URL, else"
                    + " amqp://guest:guest@localhost:5672/%%2f.")
    private String amqp;

    @Option(
            names = "--amqp-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is the broker's URL, amqp://user:password@host:port/vhost; - is standard input."
                            + " It is read once, at the start. Jobs run as the pilot's user: they must not be able to read it.")
    private String amqpFile;

    @Option(
            names = "--reconnect-for",
            paramLabel = "TIME",
            defaultValue = "1d",
            converter = DurationOption.class,
            description = "How long to try without a connection before giving up; jobs run on meanwhile."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration reconnectFor;

    @Option(
            names = "--jobs-prefix",
            paramLabel = "NAME",
            defaultValue = Names.JOBS_PREFIX,
            description = "Comes before a pool's name in the name of its queue. Default: ${DEFAULT-VALUE}.")
    private String jobsPrefix;

    @Option(
            names = "--exchange",
            paramLabel = "NAME",
            defaultValue = Names.SEND_REPORTS,
            description = "The exchange to which reports are published. Default: ${DEFAULT-VALUE}.")
    private String exchange;

    @Option(
            names = "--reports-key",
            paramLabel = "KEY",
            defaultValue = Names.REPORTS_KEY,
            description = "The routing key of reports. Default: ${DEFAULT-VALUE}.")
    private String reportsKey;

    @Option(
            names = "--reports-queue",
            paramLabel = "NAME",
            defaultValue = Names.REPORTS,
            description = "The queue of reports, for --declare. Default: ${DEFAULT-VALUE}.")
    private String reportsQueue;

    @Option(
            names = "--notices",
            paramLabel = "NAME",
            defaultValue = Names.NOTICES,
            description = "The exchange from which notices come. Default: ${DEFAULT-VALUE}.")
    private String notices;

    @Option(
            names = "--declare",
            description =
                    "Make queues and exchanges that are missing (durable, without arguments). Without it the pilot waits"
                            + " until Weir has made them.")
    private boolean declare;

    boolean isGiven() {
        return amqp != null || amqpFile != null;
    }

    Duration reconnectFor() {
        return reconnectFor;
    }

    BrokerSettings settings(List<String> pools) throws IOException {
        return new BrokerSettings(
                BrokerUrl.find(amqp, amqpFile, System.in),
                pools,
                jobsPrefix,
                exchange,
                reportsKey,
                reportsQueue,
                notices,
                declare,
                BrokerSettings.RETRY_LEAST,
                BrokerSettings.RETRY_MOST,
                reconnectFor);
    }
}
