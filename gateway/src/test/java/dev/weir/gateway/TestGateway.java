package dev.weir.gateway;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.BrokerNames;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.gateway.options.TlsFiles;
import dev.weir.protocol.Names;
import dev.weir.sql.Migrations;
import dev.weir.testing.ScratchBroker;
import dev.weir.testing.ScratchDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** A gateway with a database and a broker of its own, and a token of each role. Each answer is held against the contract. */
final class TestGateway implements AutoCloseable {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final ScratchDatabase database;
    final ScratchBroker broker;
    final Path tokens;
    final GatewayOptions options;
    final Map<Role, String> byRole = new EnumMap<>(Role.class);

    private final Gateway gateway;

    private TestGateway(
            ScratchDatabase database,
            ScratchBroker broker,
            Path directory,
            UnaryOperator<GatewayOptions.Builder> changed)
            throws IOException {
        this.database = database;
        this.broker = broker;
        tokens = directory.resolve("tokens");
        for (Role role : Role.values()) {
            if (role == Role.ANYONE) {
                continue;
            }
            Scope scope = role == Role.PILOT ? new Scope(null, null, java.util.List.of("node7-*"), null) : Scope.ALL;
            byRole.put(role, token(role.word(), role, Instant.now().plusSeconds(600), scope));
        }
        options = changed.apply(GatewayOptions.local(
                                0, database.jdbcUrl(), database.user(), database.password(), broker.uri(), tokens)
                        .withAudit(directory.resolve("audit"))
                        .withNames(new BrokerNames(
                                broker.name(Names.SEND_TASKS),
                                broker.name(Names.SEND_COMMANDS),
                                broker.name(Names.SEND_REPORTS),
                                broker.name(Names.EVENTS),
                                broker.name(Names.NOTICES),
                                broker.name(Names.SEND_QUEUES),
                                broker.name(Names.ANSWERS),
                                jobsPrefix(broker),
                                new BrokerNames.Queues(
                                        broker.name(Names.REJECTED),
                                        broker.name(Names.TASKS),
                                        broker.name(Names.COMMANDS),
                                        broker.name(Names.REPORTS)))))
                .build();
        gateway = Gateway.start(options);
    }

    static TestGateway start(Path directory) throws Exception {
        return start(directory, options -> options);
    }

    static TestGateway start(Path directory, UnaryOperator<GatewayOptions.Builder> changed) throws Exception {
        ScratchDatabase database = ScratchDatabase.create();
        Migrations.WEIR.apply(database.jdbcUrl(), database.user(), database.password());
        ScratchBroker broker = ScratchBroker.create();
        declare(broker);
        TestGateway gateway = new TestGateway(database, broker, directory, changed);
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> gateway.send("GET", "/health", null, null).status() == 200);
        return gateway;
    }

    /** As Weir's jobs do. */
    private static void declare(ScratchBroker broker) throws IOException {
        try (Connection connection = broker.connect()) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare(broker.name(Names.EVENTS), "topic", true);
            channel.exchangeDeclare(broker.name(Names.NOTICES), "direct", true);
            for (String pool : new String[] {Names.CPU_POOL, Names.GPU_POOL}) {
                channel.queueDeclare(broker.name(Names.jobs(pool)), true, false, false, null);
            }
            channel.queueDeclare(broker.name(Names.REJECTED), true, false, false, null);
            for (String key : new String[] {Names.TASKS_KEY, Names.COMMANDS_KEY, Names.REPORTS_KEY}) {
                String queue = broker.name("weir." + key);
                channel.queueDeclare(queue, true, false, false, null);
                String exchange = broker.name("weir.send." + key);
                channel.exchangeDeclare(exchange, "direct", true);
                channel.queueBind(queue, exchange, key);
            }
        }
    }

    private static String jobsPrefix(ScratchBroker broker) {
        String queue = broker.name(Names.jobs(Names.CPU_POOL));
        return queue.substring(0, queue.length() - Names.CPU_POOL.length());
    }

    /** Another gateway with the same services and tokens. */
    Gateway another() {
        return Gateway.start(options);
    }

    /** One with a port that was another's before. */
    Gateway another(int port) {
        return another(port, options.tls());
    }

    /** One that speaks HTTPS. */
    Gateway another(TlsFiles tls) {
        return another(0, tls);
    }

    private Gateway another(int port, TlsFiles tls) {
        return Gateway.start(new GatewayOptions(
                options.host(),
                port,
                options.jdbcUrl(),
                options.user(),
                options.password(),
                options.amqpUri(),
                options.names(),
                options.tokens(),
                options.furtherTokens(),
                options.audit(),
                options.requestsPerSecond(),
                options.maxConnections(),
                options.startWithin(),
                tls,
                options.openId(),
                options.placement(),
                options.logRoots()));
    }

    /** One with the default limits and another database. */
    Gateway withDatabase(String jdbcUrl) {
        return Gateway.start(GatewayOptions.local(
                        0, jdbcUrl, options.user(), options.password(), options.amqpUri(), options.tokens())
                .withNames(options.names())
                .build());
    }

    /** The text of a new token. */
    String token(String name, Role role, Instant expires, Scope scope) throws IOException {
        String text = Token.random();
        TokenFile.put(tokens, new Token(name, role, Token.hash(text), expires, scope));
        return text;
    }

    URI url() {
        return gateway.url();
    }

    Answer get(String path) throws Exception {
        return send("GET", path, byRole.get(Role.VIEWER), null);
    }

    Answer put(String path, String body) throws Exception {
        return send("PUT", path, byRole.get(Role.OPERATOR), body);
    }

    /**
     * Sends a request.
     *
     * @param token null for none
     * @param body JSON; null for none
     * @param headers pairs of name and value
     */
    Answer send(String method, String path, String token, String body, String... headers) throws Exception {
        return send(url(), method, path, token, body, headers);
    }

    static Answer send(URI url, String method, String path, String token, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.setHeader("Content-Type", "application/json");
        }
        if (token != null) {
            request.setHeader("Authorization", "Bearer " + token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
        Contract.check(
                method,
                url.resolve(path).getRawPath(),
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(null),
                response.body());
        return new Answer(response.statusCode(), response.headers(), response.body());
    }

    @Override
    public void close() throws Exception {
        gateway.close();
        broker.close();
        database.close();
    }
}
