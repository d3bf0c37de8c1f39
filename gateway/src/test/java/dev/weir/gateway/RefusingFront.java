package dev.weir.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands before a gateway, passes requests on, and refuses the first reports whose body has a word, each with the next of some statuses. */
final class RefusingFront implements AutoCloseable {

    private final URI gateway;
    private final String word;
    private final ConcurrentLinkedQueue<Integer> statuses;
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    RefusingFront(URI gateway, String word, List<Integer> statuses) throws IOException {
        this.gateway = gateway;
        this.word = word;
        this.statuses = new ConcurrentLinkedQueue<>(statuses);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Refusals that have not been given. */
    int left() {
        return statuses.size();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Integer refusal = body.contains(word) ? statuses.poll() : null;
            if (refusal != null) {
                write(exchange, refusal, "{\"detail\": \"a report is not valid\"}");
                return;
            }
            HttpRequest request = HttpRequest.newBuilder(
                            gateway.resolve(exchange.getRequestURI().getPath()))
                    .header("Content-Type", "application/json")
                    .header("Authorization", exchange.getRequestHeaders().getFirst("Authorization"))
                    .POST(BodyPublishers.ofString(body))
                    .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            write(exchange, response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
