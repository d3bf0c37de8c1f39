package dev.weir.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.cli.http.WholeAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Flink's REST API. Every request has a time limit; every failure names the address. */
final class FlinkRest {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    private final URI base;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CONNECT_LIMIT).build();

    /** @param base as in {@code http://127.0.0.1:8081} */
    FlinkRest(URI base) {
        String text = base.toString();
        this.base = text.endsWith("/") ? base : URI.create(text + "/");
    }

    URI base() {
        return base;
    }

    JsonNode get(String path) throws IOException {
        return send(request(path, ANSWER_LIMIT).GET().build());
    }

    JsonNode post(String path, JsonNode body) throws IOException {
        return post(path, body, ANSWER_LIMIT);
    }

    JsonNode post(String path, JsonNode body, Duration limit) throws IOException {
        return send(request(path, limit)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()))
                .build());
    }

    JsonNode patch(String path) throws IOException {
        return send(request(path, ANSWER_LIMIT)
                .method("PATCH", BodyPublishers.noBody())
                .build());
    }

    JsonNode delete(String path) throws IOException {
        return send(request(path, ANSWER_LIMIT).DELETE().build());
    }

    /** Sends a file as the only part of a form. */
    JsonNode upload(String path, String field, Path file, Duration limit) throws IOException {
        String boundary = UUID.randomUUID().toString();
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\""
                + file.getFileName() + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n";
        String tail = "\r\n--" + boundary + "--\r\n";
        return send(request(path, limit)
                .header("content-type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofInputStream(() -> form(head, file, tail)))
                .build());
    }

    private static InputStream form(String head, Path file, String tail) {
        try {
            return new SequenceInputStream(
                    Collections.enumeration(List.of(bytes(head), Files.newInputStream(file), bytes(tail))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private HttpRequest.Builder request(String path, Duration limit) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(limit);
    }

    private JsonNode send(HttpRequest request) throws IOException {
        HttpResponse<String> answer;
        try {
            answer = WholeAnswer.to(
                    http, request, BodyHandlers.ofString(), request.timeout().orElseThrow());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for Flink at " + base, e);
        } catch (HttpConnectTimeoutException e) {
            throw absent(e);
        } catch (HttpTimeoutException e) {
            throw new IOException(
                    "Flink at " + base + " has not answered " + request.method() + " "
                            + request.uri().getPath() + " (" + e.getMessage()
                            + "); it may have been done: look there, and at the log of the JobManager",
                    e);
        } catch (IOException e) {
            throw absent(e);
        }
        if (answer.statusCode() >= 300) {
            throw new RestFailure(base, answer.statusCode(), answer.body());
        }
        try {
            return answer.body().isBlank() ? JSON.createObjectNode() : JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new IOException("what answers at " + request.uri() + " is no Flink: it sent no JSON", e);
        }
    }

    private NoFlink absent(IOException e) {
        String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return new NoFlink(
                "no Flink answers at " + base + " (" + reason + "); check the address and that the cluster runs", e);
    }
}
