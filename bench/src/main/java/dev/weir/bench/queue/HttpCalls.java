package dev.weir.bench.queue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Requests to one server. Any answer but 200 is a failure. Safe for use from many threads. */
final class HttpCalls {

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final String token;

    /** @param token sent as a bearer token; null for none */
    HttpCalls(String url, String token) {
        this.url = url;
        this.token = token;
    }

    CompletableFuture<String> get(String path) {
        return send(request(path).build());
    }

    CompletableFuture<String> post(String path, String json) {
        return send(request(path).POST(BodyPublishers.ofString(json)).build());
    }

    CompletableFuture<String> put(String path, String json) {
        return send(request(path).PUT(BodyPublishers.ofString(json)).build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).header("content-type", "application/json");
        return token == null ? request : request.header("authorization", "Bearer " + token);
    }

    private CompletableFuture<String> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString()).thenApply(response -> {
            if (response.statusCode() != 200) {
                throw new IllegalStateException(request.method() + " " + request.uri() + " was answered with "
                        + response.statusCode() + ": " + response.body());
            }
            return response.body();
        });
    }
}
