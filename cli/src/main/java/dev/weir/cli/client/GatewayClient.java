package dev.weir.cli.client;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.protocol.Authorities;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** Requests to the gateway. Each has a time limit; each failure names the address and says what to do. */
final class GatewayClient {

    /** Takes whatever JSON a program or a source writes, unlike that of messages; payloads and results pass through it, so numbers keep their digits. */
    static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    /** Above the longest time that the gateway waits for an outcome, 60 s. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(90);

    private final Access access;
    private final HttpClient http;

    /** Throws when the authorities that the access names cannot be read. */
    GatewayClient(Access access) throws IOException {
        this.access = access;
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT);
        if (access.authorities() != null) {
            client.sslContext(Authorities.only(access.authorities()));
        }
        http = client.build();
    }

    /**
     * Reads.
     *
     * @param path without a slash at its begin; parts from outside must be encoded with {@link #part}
     * @param filters names and values of query parameters; those without a value are left out
     * @throws GatewayRefusal when the gateway answers with a problem
     */
    JsonNode get(String path, Map<String, ?> filters) throws IOException {
        return body(send(request(path + query(filters)).GET().build()));
    }

    /**
     * Changes something, and waits for the outcome.
     *
     * @param method {@code PUT} or {@code POST}
     * @param body null for none
     * @param waitSeconds from 0 to 60
     * @throws GatewayRefusal when it was not applied, with the reason
     */
    Change change(String method, String path, JsonNode body, int waitSeconds) throws IOException {
        HttpRequest.Builder request = request(path + query(Map.of("wait", waitSeconds)))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
        if (body != null) {
            request.header("content-type", "application/json");
        }
        HttpResponse<String> answer = send(request.build());
        return new Change(answer.statusCode() == 200, body(answer));
    }

    /** Posts what has no outcome to wait for; null for no body. Throws as {@link #change}. */
    JsonNode post(String path, String body) throws IOException {
        HttpRequest.Builder request =
                request(path).POST(body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("content-type", "application/json");
        }
        return body(send(request.build()));
    }

    /** Deletes what has no outcome to wait for. Throws as {@link #change}. */
    JsonNode delete(String path) throws IOException {
        return body(send(request(path).DELETE().build()));
    }

    /** Reads text that is no JSON. Throws as {@link #get}. */
    String text(String path) throws IOException {
        return send(request(path).GET().build()).body();
    }

    /**
     * A change that was sent.
     *
     * @param applied false when the outcome has not come
     */
    record Change(boolean applied, JsonNode answer) {}

    /** A part of a path, such as a uid. */
    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String query(Map<String, ?> filters) {
        String text = filters.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .map(entry -> entry.getKey() + "=" + part(entry.getValue().toString()))
                .collect(Collectors.joining("&"));
        return text.isEmpty() ? "" : "?" + text;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(access.gateway() + path))
                .timeout(ANSWER_LIMIT)
                .header("authorization", "Bearer " + access.token());
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException {
        HttpResponse<String> answer;
        try {
            answer = http.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the gateway at " + access.gateway(), e);
        } catch (SSLException e) {
            throw new IOException(
                    "no trusted gateway answers at " + access.gateway() + " (" + e.getMessage()
                            + "); if its certificate is from an authority of your site, name that authority's file with"
                            + " --ca-file or " + Access.CA_FILE,
                    e);
        } catch (IOException e) {
            throw new IOException(
                    "no gateway answers at " + access.gateway() + " (" + reason(e)
                            + "); check the address and that ./weir up or ./weir gateway runs",
                    e);
        }
        if (answer.statusCode() >= 300) {
            throw new GatewayRefusal(access.gateway(), answer.statusCode(), answer.body());
        }
        return answer;
    }

    /** Some have no message, as that of a port at which nobody listens. */
    static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private JsonNode body(HttpResponse<String> answer) throws IOException {
        try {
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new IOException("what answers at " + access.gateway() + " is no gateway: it sent no JSON", e);
        }
    }
}
