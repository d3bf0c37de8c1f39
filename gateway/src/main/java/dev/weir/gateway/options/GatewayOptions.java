package dev.weir.gateway.options;

import dev.weir.protocol.Names;
import java.nio.file.Path;

/**
 * How a gateway is started.
 *
 * @param host to listen on
 * @param port to listen on; 0 takes a free one
 * @param jdbcUrl of the mirror's database
 * @param amqpUri of the broker, with user and password
 * @param tasksExchange to which tasks go
 * @param commandsExchange to which commands go
 * @param eventsExchange where outcomes come from
 * @param tokens the file of tokens; it may come later
 * @param audit the file of the audit log; null: the program's log
 * @param requestsPerSecond of one token, with bursts of as many; requests without a valid token have a twentieth, by address
 * @param maxConnections that are open at once; further ones wait until others are closed
 */
public record GatewayOptions(
        String host,
        int port,
        String jdbcUrl,
        String user,
        String password,
        String amqpUri,
        String tasksExchange,
        String commandsExchange,
        String eventsExchange,
        Path tokens,
        Path audit,
        int requestsPerSecond,
        int maxConnections) {

    public static final int REQUESTS_PER_SECOND = 1000;
    public static final int MAX_CONNECTIONS = 2000;

    public GatewayOptions {
        if (requestsPerSecond < 1 || requestsPerSecond > 1_000_000) {
            throw new IllegalArgumentException(
                    "requests per second must be from 1 to 1000000, got " + requestsPerSecond);
        }
        if (maxConnections < 1 || maxConnections > 1_000_000) {
            throw new IllegalArgumentException("connections must be from 1 to 1000000, got " + maxConnections);
        }
    }

    /** A gateway on a local port, with the default names and limits, and the audit log in the program's log. */
    public static GatewayOptions local(
            int port, String jdbcUrl, String user, String password, String amqpUri, Path tokens) {
        return new GatewayOptions(
                "127.0.0.1",
                port,
                jdbcUrl,
                user,
                password,
                amqpUri,
                Names.SEND_TASKS,
                Names.SEND_COMMANDS,
                Names.EVENTS,
                tokens,
                null,
                REQUESTS_PER_SECOND,
                MAX_CONNECTIONS);
    }

    public GatewayOptions withExchanges(String newTasksExchange, String newCommandsExchange, String newEventsExchange) {
        return new GatewayOptions(
                host,
                port,
                jdbcUrl,
                user,
                password,
                amqpUri,
                newTasksExchange,
                newCommandsExchange,
                newEventsExchange,
                tokens,
                audit,
                requestsPerSecond,
                maxConnections);
    }

    public GatewayOptions withAudit(Path file) {
        return new GatewayOptions(
                host,
                port,
                jdbcUrl,
                user,
                password,
                amqpUri,
                tasksExchange,
                commandsExchange,
                eventsExchange,
                tokens,
                file,
                requestsPerSecond,
                maxConnections);
    }

    public GatewayOptions withLimits(int newRequestsPerSecond, int newMaxConnections) {
        return new GatewayOptions(
                host,
                port,
                jdbcUrl,
                user,
                password,
                amqpUri,
                tasksExchange,
                commandsExchange,
                eventsExchange,
                tokens,
                audit,
                newRequestsPerSecond,
                newMaxConnections);
    }
}
