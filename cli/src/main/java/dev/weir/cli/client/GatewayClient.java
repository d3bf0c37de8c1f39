package dev.weir.cli.client;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.weir.cli.http.WholeAnswer;
import dev.weir.protocol.Authorities;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(GatewayClient.class);

    private final AccessSource source;
    private final Access access;
    private final HttpClient http;
    private final Duration answerLimit;
    private volatile String token;
    /** Whether the gateway has taken a token of this client. */
    private volatile boolean wasLetIn;

    /** Where the access comes from. It is read again when the token is refused, which may have been renewed. */
    interface AccessSource {
        Access read() throws IOException;
    }

    /** With a token that stays as it is. */
    GatewayClient(Access access) throws IOException {
        this(() -> access);
    }

    /** Throws when the access, or the authorities that it names, cannot be read. */
    GatewayClient(AccessSource source) throws IOException {
        this(source, ANSWER_LIMIT);
    }

    /** @param answerLimit until the last byte of an answer */
    GatewayClient(AccessSource source, Duration answerLimit) throws IOException {
        this.source = source;
        this.answerLimit = answerLimit;
        access = source.read();
        if (!access.hasToken()) {
            throw new IOException("the token for " + access.gateway()
                    + " is empty, or has characters that no token has; check " + Access.TOKEN
                    + ", the first line of the file in "
                    + Access.TOKEN_FILE + ", or the field token in the file of --access");
        }
        token = access.token();
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
        return body(send(request(path + query(filters)).GET()));
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
        HttpResponse<String> answer = send(request);
        return new Change(answer.statusCode() == 200, body(answer));
    }

    /** Posts what has no outcome to wait for; null for no body. Throws as {@link #change}. */
    JsonNode post(String path, String body) throws IOException {
        return post(path, body, answerLimit);
    }

    /** The same, for what is of no use when its answer comes later than that. */
    JsonNode post(String path, String body, Duration limit) throws IOException {
        HttpRequest.Builder request =
                request(path).POST(body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("content-type", "application/json");
        }
        return body(send(request, limit));
    }

    /** Deletes what has no outcome to wait for. Throws as {@link #change}. */
    JsonNode delete(String path) throws IOException {
        return body(send(request(path).DELETE()));
    }

    /** Reads text that is no JSON. Throws as {@link #get}. */
    String text(String path) throws IOException {
        return send(request(path).GET()).body();
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

    /** Whether the gateway may have done what was asked for with a request that has failed so: not if none was connected. */
    static boolean mayBeDone(IOException failure) {
        if (failure instanceof GatewayRefusal refusal) {
            return refusal.status() >= 500;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof HttpConnectTimeoutException
                    || cause instanceof SSLHandshakeException) {
                return false;
            }
        }
        return true;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(access.gateway() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        return send(request, answerLimit);
    }

    /** Once more where another token is there than the one that was refused: nothing was done with that. */
    private HttpResponse<String> send(HttpRequest.Builder request, Duration limit) throws IOException {
        String given = token;
        HttpResponse<String> answer = answer(request, given, limit);
        if (answer.statusCode() == GatewayRefusal.UNAUTHORISED && isRenewed(given)) {
            answer = answer(request, token, limit);
        }
        if (answer.statusCode() >= 300) {
            throw new GatewayRefusal(access.gateway(), answer.statusCode(), answer.body(), wasLetIn);
        }
        wasLetIn = true;
        return answer;
    }

    /** A token that is for another gateway now, or is just being written, is left where it is. */
    private boolean isRenewed(String refused) {
        try {
            Access now = source.read();
            if (now.gateway().equals(access.gateway())
                    && now.hasToken()
                    && !now.token().equals(refused)) {
                token = now.token();
                LOG.info("The token was refused and has been renewed; the new one is used from now on");
                return true;
            }
        } catch (IOException e) {
            LOG.warn("The token was refused and cannot be read again: {}", e.getMessage());
        }
        return false;
    }

    private HttpResponse<String> answer(HttpRequest.Builder request, String given, Duration limit) throws IOException {
        try {
            return WholeAnswer.to(
                    http,
                    request.setHeader("authorization", "Bearer " + given).build(),
                    BodyHandlers.ofString(),
                    limit);
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
