package dev.weir.chaos.world;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.chaos.plan.How;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Between Weir and DSM: passes questions on, or answers as a DSM does that is away, slow or broken for a while. */
final class DsmProxy implements Victim, AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int SLOW_SECONDS = 5;

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final String dsm;
    private volatile How how;

    /** @param dsm the address of the real one */
    DsmProxy(String dsm) throws IOException {
        this.dsm = dsm;
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void hit(How now) {
        how = now;
    }

    @Override
    public void heal(How over) {
        how = null;
    }

    private void answer(HttpExchange exchange) throws IOException {
        How now = how;
        try (exchange) {
            if (now == How.AWAY) {
                return;
            }
            if (now == How.SLOW && closed.await(SLOW_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create(dsm + exchange.getRequestURI()))
                    .timeout(LIMIT)
                    .build();
            HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
            if (now == How.GARBAGE) {
                garbage(exchange, answer.body());
            } else {
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
                exchange.getResponseBody().write(answer.body());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** In turns: a page of an error, half of the right answer, less than was announced. */
    private void garbage(HttpExchange exchange, byte[] right) throws IOException {
        int half = Math.max(1, right.length / 2);
        switch (asked.getAndIncrement() % 3) {
            case 0 -> {
                byte[] page = "<html><h1>502 Bad Gateway</h1></html>".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(502, page.length);
                exchange.getResponseBody().write(page);
            }
            case 1 -> {
                exchange.sendResponseHeaders(200, half);
                exchange.getResponseBody().write(right, 0, half);
            }
            default -> {
                exchange.sendResponseHeaders(200, right.length + 1L);
                exchange.getResponseBody().write(right, 0, half);
                exchange.getResponseBody().flush();
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
