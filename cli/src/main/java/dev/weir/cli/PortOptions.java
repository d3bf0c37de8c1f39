package dev.weir.cli;

import dev.weir.cli.embedded.LocalPorts;
import picocli.CommandLine.Option;

/** The ports of the embedded services, for every command that starts them. */
final class PortOptions {

    @Option(
            names = "--amqp-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the broker on 127.0.0.1; a free one by default.")
    private int amqp;

    @Option(
            names = "--postgres-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the database; a free one by default.")
    private int postgres;

    @Option(
            names = "--dsm-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of DSM; a free one by default.")
    private int dsm;

    @Option(
            names = "--flink-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of Flink's web UI; a free one by default.")
    private int flink;

    @Option(
            names = "--gateway-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Port of the gateway; by default that of the last start with the same data, or a free one.")
    private int gateway;

    LocalPorts ports() {
        return new LocalPorts(amqp, postgres, dsm, flink, gateway);
    }
}
