package dev.weir.bench.gateway;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.Names;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A gateway in this process with a broker of its own, on a database with Weir's tables. One pool has a queue. For one thread. */
final class BenchGateway implements AutoCloseable {

    static final String POOL = "cpu";

    /** All requests come with one token, from one address. */
    private static final int MOST_REQUESTS_PER_SECOND = 100_000;

    private final ScratchBroker broker = ScratchBroker.create();
    private final Path tokens = Files.createTempFile("weir-bench", ".tokens");
    private final Connection connection;
    private final Channel channel;
    private final Gateway gateway;
    private final String queue;

    BenchGateway(ScratchDatabase database) throws IOException {
        connection = broker.connect();
        channel = connection.createChannel();
        queue = broker.name(Names.jobs(POOL));
        gateway = Gateway.start(
                GatewayOptions.local(0, database.jdbcUrl(), database.user(), database.password(), broker.uri(), tokens)
                        .withNames(declare())
                        .withLimits(MOST_REQUESTS_PER_SECOND, GatewayOptions.MAX_CONNECTIONS)
                        .build());
    }

    private BrokerNames declare() throws IOException {
        String events = broker.name(Names.EVENTS);
        String notices = broker.name(Names.NOTICES);
        channel.exchangeDeclare(events, "topic", true);
        channel.exchangeDeclare(notices, "direct", true);
        channel.queueDeclare(queue, true, false, false, null);
        for (String exchange : List.of(Names.SEND_TASKS, Names.SEND_COMMANDS, Names.SEND_REPORTS)) {
            channel.exchangeDeclare(broker.name(exchange), "direct", true);
        }
        String taken = broker.name(Names.REPORTS);
        channel.queueDeclare(taken, true, false, false, null);
        channel.queueBind(taken, broker.name(Names.SEND_REPORTS), Names.REPORTS_KEY);
        channel.basicConsume(taken, true, (tag, message) -> {}, tag -> {});
        return new BrokerNames(
                broker.name(Names.SEND_TASKS),
                broker.name(Names.SEND_COMMANDS),
                broker.name(Names.SEND_REPORTS),
                events,
                notices,
                queue.substring(0, queue.length() - POOL.length()),
                BrokerNames.Queues.DEFAULT);
    }

    URI url() {
        return gateway.url();
    }

    /** The text of a new token that may do all that its role may. */
    String token(Role role) throws IOException {
        String text = Token.random();
        Scope all = role == Role.PILOT ? new Scope(null, null, List.of("*"), null) : Scope.ALL;
        TokenFile.put(
                tokens,
                new Token(role.word(), role, Token.hash(text), Instant.now().plusSeconds(7200), all));
        return text;
    }

    Channel channel() {
        return channel;
    }

    /** Of the pool's jobs. */
    String queue() {
        return queue;
    }

    @Override
    public void close() throws Exception {
        gateway.close();
        connection.abort();
        broker.close();
        Files.deleteIfExists(tokens);
    }
}
