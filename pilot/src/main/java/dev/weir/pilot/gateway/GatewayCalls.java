package dev.weir.pilot.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.pilot.uplink.Outbox.Entry;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.PopRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests to the gateway. Their futures fail with an {@link IOException}, a {@link RefusedRequest} when the gateway answered, and with anything else if
 * the request could not be sent at all. Safe for use from many threads.
 */
final class GatewayCalls {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayCalls.class);
    private static final Duration CONNECT = Duration.ofSeconds(10);

    /** For an answer, beside the time that the gateway is asked to wait. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final int OK = 200;
    private static final int UNAUTHORISED = 401;
    private static final int SHOWN_CHARACTERS = 200;

    private final HttpClient client;
    private final GatewaySettings settings;
    private final String pilotId;
    private final Duration answerWithin;
    private volatile String token;

    GatewayCalls(GatewaySettings settings, String pilotId) {
        this(settings, pilotId, ANSWER);
    }

    /** @param answerWithin how long an answer may take, beside the time that the gateway is asked to wait */
    GatewayCalls(GatewaySettings settings, String pilotId, Duration answerWithin) {
        this.settings = settings;
        this.pilotId = pilotId;
        this.answerWithin = answerWithin;
        token = settings.token();
        HttpClient.Builder building =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        if (settings.trusted() != null) {
            building.sslContext(settings.trusted());
        }
        client = building.build();
    }

    /** Asks for a job of these pools, none of no pools, and for notices. */
    CompletableFuture<JsonNode> pop(List<String> pools, Duration wait) {
        double seconds = wait.toMillis() / 1000.0;
        return post("pop", Json.write(new PopRequest(pilotId, pools, seconds)), wait.plus(answerWithin));
    }

    CompletableFuture<JsonNode> report(List<Entry> reports) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(("{\"pilot_id\":\"" + pilotId + "\",\"reports\":").getBytes(StandardCharsets.UTF_8));
        char before = '[';
        for (Entry report : reports) {
            body.write(before);
            body.writeBytes(report.body());
            before = ',';
        }
        body.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
        return post("report", body.toByteArray(), answerWithin);
    }

    private CompletableFuture<JsonNode> post(String operation, byte[] body, Duration longest) {
        try {
            return send(operation, body, longest);
        } catch (RuntimeException | Error e) {
            // A system without room for one more thread: it may have room at the next try.
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<JsonNode> send(String operation, byte[] body, Duration longest) {
        String base = settings.url().toString();
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + (base.endsWith("/") ? "" : "/") + operation))
                .timeout(longest)
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, BodyHandlers.ofByteArray());
        // The time of the request ends with the head of the answer.
        return answer.copy()
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(failure -> {
                    answer.cancel(true);
                    return CompletableFuture.failedFuture(
                            failure instanceof TimeoutException
                                    ? new IOException("the gateway has not answered within " + longest)
                                    : failure);
                })
                .thenCompose(this::read);
    }

    /** The next request has the token that is in the file now. */
    private void renewToken() {
        if (settings.tokenFile() == null) {
            return;
        }
        try (Stream<String> lines = Files.lines(settings.tokenFile())) {
            String now = lines.findFirst().orElse("").strip();
            if (GatewaySettings.isToken(now) && !now.equals(token)) {
                token = now;
                LOG.info("The token in {} has changed and is used from now on", settings.tokenFile());
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("The token in {} cannot be read again: {}", settings.tokenFile(), e.toString());
        }
    }

    private CompletableFuture<JsonNode> read(HttpResponse<byte[]> response) {
        if (response.statusCode() == UNAUTHORISED) {
            renewToken();
        }
        try {
            JsonNode answer = Json.readKept(response.body(), JsonNode.class);
            if (response.statusCode() != OK) {
                return CompletableFuture.failedFuture(new RefusedRequest(
                        response.statusCode(), answer.path("detail").asText("without a reason")));
            }
            return answer.path("notices").isArray()
                    ? CompletableFuture.completedFuture(answer)
                    : CompletableFuture.failedFuture(strange(response));
        } catch (InvalidMessage e) {
            return CompletableFuture.failedFuture(strange(response));
        }
    }

    private static IOException strange(HttpResponse<byte[]> response) {
        String shown = new String(response.body(), StandardCharsets.UTF_8);
        return new IOException("the answer " + response.statusCode() + " is not from Weir's gateway; it begins: "
                + shown.substring(0, Math.min(shown.length(), SHOWN_CHARACTERS)));
    }
}
