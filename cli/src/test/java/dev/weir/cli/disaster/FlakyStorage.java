package dev.weir.cli.disaster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A storage over HTTP that answers as a test wants. Every path below {@code /in/} is a file whose content is its name. */
final class FlakyStorage implements AutoCloseable {

    /** What it does with one request. */
    enum Answer {
        GOOD,
        /** 503. */
        AWAY,
        /** Takes the request and says nothing. */
        SILENT,
        /** Sends the client to a page that is always there. */
        LOGIN_PAGE,
        /** 202: it may be stored some day. */
        ACCEPTED,
        /** Says that it has stored what it has not stored whole. */
        HALF,
        /** Closes the connection in the middle. */
        CUT
    }

    private static final Pattern NAME = Pattern.compile("\\.\\d+\\.(\\d+)\\.[^./]+\\.(out|log)$");
    private static final long SILENT_MINUTES = 5;

    private final Map<String, byte[]> stored = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final HttpServer server;
    private volatile BiFunction<String, String, Answer> behaviour = (method, path) -> Answer.GOOD;

    FlakyStorage() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::serve);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on; by method and path. */
    void answer(BiFunction<String, String, Answer> behaviour) {
        this.behaviour = behaviour;
    }

    /** What is stored under a path; null when nothing is. */
    byte[] stored(String path) {
        return stored.get(path);
    }

    /** The attempt that an output or a log is of, by its name; 0 when it is neither. */
    static int attempt(String path) {
        Matcher name = NAME.matcher(path);
        return name.find() ? Integer.parseInt(name.group(1)) : 0;
    }

    private void serve(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        Answer answer = method.equals("HEAD") || path.equals("/login") ? Answer.GOOD : behaviour.apply(method, path);
        try (exchange) {
            byte[] body = answer == Answer.CUT
                    ? new byte[0]
                    : exchange.getRequestBody().readAllBytes();
            switch (answer) {
                case AWAY -> exchange.sendResponseHeaders(503, -1);
                case SILENT -> waitInVain();
                case LOGIN_PAGE -> {
                    exchange.getResponseHeaders().add("Location", "/login");
                    exchange.sendResponseHeaders(302, -1);
                }
                case ACCEPTED -> exchange.sendResponseHeaders(202, -1);
                case CUT -> {} // Closing it without an answer closes the connection.
                default -> good(exchange, method, path, answer == Answer.HALF ? half(body) : body);
            }
        }
    }

    private static byte[] half(byte[] body) {
        return Arrays.copyOf(body, body.length / 2);
    }

    private void good(HttpExchange exchange, String method, String path, byte[] body) throws IOException {
        if (method.equals("PUT")) {
            stored.put(path, body);
            exchange.sendResponseHeaders(201, -1);
            return;
        }
        byte[] found = path.startsWith("/in/") || path.equals("/login")
                ? path.substring(path.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8)
                : stored.get(path);
        if (found == null) {
            exchange.sendResponseHeaders(404, -1);
        } else if (method.equals("HEAD")) {
            exchange.getResponseHeaders().add("Content-Length", String.valueOf(found.length));
            exchange.sendResponseHeaders(200, -1);
        } else {
            exchange.sendResponseHeaders(200, found.length);
            exchange.getResponseBody().write(found);
        }
    }

    private void waitInVain() throws IOException {
        try {
            if (!closed.await(SILENT_MINUTES, TimeUnit.MINUTES)) {
                throw new IOException("nobody closed the storage");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
