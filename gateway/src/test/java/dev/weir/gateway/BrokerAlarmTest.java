package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.weir.gateway.access.Role;
import dev.weir.gateway.access.Scope;
import dev.weir.gateway.access.Token;
import dev.weir.gateway.access.TokenFile;
import dev.weir.gateway.options.GatewayOptions;
import dev.weir.protocol.Json;
import dev.weir.protocol.Names;
import dev.weir.protocol.Rejected;
import dev.weir.testing.PrivateRabbit;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose memory or disk is full stops all who publish; the gateway needs no database for this. */
@Timeout(180)
class BrokerAlarmTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String REPORT = """
            {"pilot_id": "node7-1", "reports": [{"type": "status", "pilot_id": "node7-1", "pool": "cpu", "job_uid": "j",
             "attempt": 1, "route": "0/0/t", "status": "starting"}]}""";

    @BeforeAll
    static void require() {
        assumeTrue(PrivateRabbit.isInstalled(), "RabbitMQ is not installed");
    }

    @Test
    void anAlarmRefusesRequestsAtOnceAndLetsWaitingOnesEnd(@TempDir Path directory) throws Exception {
        Path tokens = directory.resolve("tokens");
        String token = Token.random();
        Scope scope = new Scope(null, null, List.of("node7-*"), null);
        TokenFile.put(
                tokens,
                new Token("me", Role.PILOT, Token.hash(token), Instant.now().plusSeconds(600), scope));
        String operator = Token.random();
        TokenFile.put(
                tokens,
                new Token(
                        "anna",
                        Role.OPERATOR,
                        Token.hash(operator),
                        Instant.now().plusSeconds(600),
                        Scope.ALL));
        try (PrivateRabbit rabbit = new PrivateRabbit(List.of())) {
            declare(rabbit);
            try (Gateway gateway = Gateway.start(GatewayOptions.local(
                            0, "jdbc:postgresql://127.0.0.1:1/none", "nobody", "none", rabbit.uri(), tokens)
                    .build())) {
                URI url = gateway.url();
                await().atMost(SOON).until(() -> report(url, token).status() == 200);
                CompletableFuture<Answer> waits = later(url, token, "node7-2", 15);
                await().atMost(SOON).until(() -> pop(url, token, "node7-1", 0).status() == 200);

                rabbit.setMemoryAlarm(true);
                await().atMost(SOON)
                        .until(() -> report(url, token).text("detail").contains("the broker takes no messages"));
                long began = System.nanoTime();
                assertThat(report(url, token).status()).isEqualTo(503);
                assertThat(pop(url, token, "node7-1", 30).status()).isEqualTo(503);
                assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(5));
                assertThat(waits.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
                rejectedMessagesCanBeReadAndDropped(url, operator);

                rabbit.setMemoryAlarm(false);
                await().atMost(SOON).until(() -> report(url, token).status() == 200);
                assertThat(pop(url, token, "node7-1", 0).status()).isEqualTo(200);
            }
        }
    }

    private static void rejectedMessagesCanBeReadAndDropped(URI url, String token) throws Exception {
        JsonNode data =
                TestGateway.send(url, "GET", "/rejected", token, null).json().get("data");
        assertThat(data).hasSize(1);
        String message = "/rejected/" + data.get(0).get("id").asText();
        assertThat(TestGateway.send(url, "POST", message + "/resend", token, null)
                        .text("detail"))
                .contains("the broker takes no messages")
                .doesNotContain("is away");
        assertThat(TestGateway.send(url, "DELETE", message, token, null).status())
                .isEqualTo(200);
    }

    private static void declare(PrivateRabbit rabbit) throws Exception {
        try (Connection connection = rabbit.connect()) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare(Names.EVENTS, "topic", true);
            channel.exchangeDeclare(Names.NOTICES, "direct", true);
            channel.exchangeDeclare(Names.SEND_TASKS, "direct", true);
            channel.exchangeDeclare(Names.SEND_COMMANDS, "direct", true);
            channel.exchangeDeclare(Names.SEND_REPORTS, "direct", true);
            channel.queueDeclare(Names.REPORTS, true, false, false, null);
            channel.queueBind(Names.REPORTS, Names.SEND_REPORTS, Names.REPORTS_KEY);
            channel.queueDeclare(Names.jobs(Names.CPU_POOL), true, false, false, null);
            channel.queueDeclare(Names.REJECTED, true, false, false, null);
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            Rejected rejected = Rejected.of("uid is required", "uid", Names.TASKS, Instant.now(), body);
            channel.basicPublish("", Names.REJECTED, null, Json.write(rejected));
        }
    }

    private static Answer report(URI url, String token) throws Exception {
        return TestGateway.send(url, "POST", "/report", token, REPORT);
    }

    private static Answer pop(URI url, String token, String pilot, int wait) throws Exception {
        String body = "{\"pilot_id\": \"%s\", \"queues\": [\"cpu\"], \"wait_s\": %d}".formatted(pilot, wait);
        return TestGateway.send(url, "POST", "/pop", token, body);
    }

    private static CompletableFuture<Answer> later(URI url, String token, String pilot, int wait) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return pop(url, token, pilot, wait);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
