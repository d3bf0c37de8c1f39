package dev.weir.connectors.dsm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on a free local port that answers as a test tells it, and remembers what it was asked. */
final class FakeDsm implements AutoCloseable {

    interface Answer {
        void write(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final List<String> questions = new CopyOnWriteArrayList<>();
    private volatile Answer answer;

    FakeDsm(Answer answer) throws IOException {
        this.answer = answer;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            questions.add(exchange.getRequestURI().toString());
            try (exchange) {
                this.answer.write(exchange);
            }
        });
        server.start();
    }

    void answers(Answer next) {
        answer = next;
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<String> questions() {
        return questions;
    }

    static Answer unknown() {
        return text(404, "{\"title\": \"No such dataset\", \"status\": 404}");
    }

    static Answer text(int status, String body) {
        return exchange -> send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /** Keeps to offset and limit, for a dataset of so many files. */
    static Answer paging(int total) {
        return exchange -> {
            Map<String, Integer> asked = query(exchange);
            int from = Math.min(total, asked.get("offset"));
            write(exchange, total, from, Math.min(total, from + asked.get("limit")));
        };
    }

    /** Gives everything, whatever is asked. */
    static Answer whole(int total) {
        return exchange -> write(exchange, total, 0, total);
    }

    private static void write(HttpExchange exchange, int total, int from, int to) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = new BufferedOutputStream(exchange.getResponseBody(), 1 << 16)) {
            out.write("{\"data\":[".getBytes(StandardCharsets.UTF_8));
            for (int i = from; i < to; i++) {
                out.write(((i == from ? "" : ",") + entry(i)).getBytes(StandardCharsets.UTF_8));
            }
            out.write(("],\"total\":" + total + "}").getBytes(StandardCharsets.UTF_8));
        }
    }

    static String entry(int index) {
        return "{\"name\":\"f" + index + ".root\",\"storage_url\":\"file:///store\",\"path\":\"run-ü\",\"size\":"
                + index + "}";
    }

    private static Map<String, Integer> query(HttpExchange exchange) {
        Map<String, Integer> values = new HashMap<>();
        for (String pair : exchange.getRequestURI().getQuery().split("&", -1)) {
            int equals = pair.indexOf('=');
            values.put(pair.substring(0, equals), Integer.valueOf(pair.substring(equals + 1)));
        }
        return values;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
