package dev.weir.gateway;

import dev.weir.gateway.access.Role;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Requests to a queue whose answers come later, without a thread each. */
final class PopClient {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private PopClient() {}

    static CompletableFuture<Answer> pop(QueueOverRest queue, double waitS) {
        return pop(queue, queue.gateway.url(), waitS);
    }

    static CompletableFuture<Answer> pop(QueueOverRest queue, URI at, double waitS) {
        return send(queue, at, "/pop", "{\"wait_s\": " + waitS + "}");
    }

    static CompletableFuture<Answer> send(QueueOverRest queue, String path, String body) {
        return send(queue, queue.gateway.url(), path, body);
    }

    private static CompletableFuture<Answer> send(QueueOverRest queue, URI at, String path, String body) {
        return post(queue, at, "/queue/" + queue.name + path, body);
    }

    /** Does not say how long the body is. */
    static CompletableFuture<Answer> chunked(QueueOverRest queue, String path, String body) {
        String whole = "/queue/" + queue.name + path;
        return send(
                queue,
                whole,
                "POST",
                HttpRequest.newBuilder(queue.gateway.url().resolve(whole))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofInputStream(
                                () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)))));
    }

    /** Asks for the answer of a key. */
    static CompletableFuture<Answer> ask(QueueOverRest queue, String body) {
        return post(queue, queue.gateway.url(), "/answer/" + queue.name, body);
    }

    /** @param query behind the path of the queue */
    static CompletableFuture<Answer> get(QueueOverRest queue, String query) {
        String whole = "/queue/" + queue.name + query;
        return send(
                queue, whole, "GET", HttpRequest.newBuilder(queue.gateway.url().resolve(whole)));
    }

    private static CompletableFuture<Answer> post(QueueOverRest queue, URI at, String whole, String body) {
        return send(
                queue,
                whole,
                "POST",
                HttpRequest.newBuilder(at.resolve(whole))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
    }

    private static CompletableFuture<Answer> send(
            QueueOverRest queue, String whole, String method, HttpRequest.Builder asked) {
        HttpRequest request = asked.header("Authorization", "Bearer " + queue.gateway.byRole.get(Role.OPERATOR))
                .build();
        return CLIENT.sendAsync(request, BodyHandlers.ofString()).thenApply(response -> {
            String type = response.headers().firstValue("Content-Type").orElse(null);
            Contract.check(method, whole, response.statusCode(), type, response.body());
            return new Answer(response.statusCode(), response.headers(), response.body());
        });
    }
}
