package dev.weir.job.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A DSM that follows the protocol page: datasets over HTTP, some of them broken on purpose. */
final class FakeDsm implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final Map<String, List<FileInfo>> datasets = new ConcurrentHashMap<>();
    private final Map<String, Broken> broken = new ConcurrentHashMap<>();

    /** An invalid answer. */
    interface Broken {
        void answer(HttpExchange exchange) throws IOException;
    }

    FakeDsm() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/dataset/", this::dataset);
        server.setExecutor(threads);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** A dataset of so many files, named {@code <uid>-<number>.dat}. */
    FakeDsm with(String uid, int files) {
        datasets.put(
                uid,
                IntStream.range(0, files)
                        .mapToObj(i -> new FileInfo(
                                "%s-%05d.dat".formatted(uid, i), "file:///store", uid, 10L, null, null, null, null))
                        .toList());
        return this;
    }

    FakeDsm withBroken(String uid, Broken answer) {
        broken.put(uid, answer);
        return this;
    }

    FakeDsm repaired(String uid) {
        broken.remove(uid);
        return this;
    }

    static Broken body(int status, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        };
    }

    private void dataset(HttpExchange exchange) throws IOException {
        String uid = exchange.getRequestURI().getPath().substring("/dataset/".length());
        Broken answer = broken.get(uid);
        if (answer != null) {
            answer.answer(exchange);
            return;
        }
        List<FileInfo> files = datasets.get(uid);
        if (files == null) {
            body(404, "{}").answer(exchange);
            return;
        }
        Map<String, Integer> query = Stream.of(
                        exchange.getRequestURI().getQuery().split("&"))
                .map(pair -> pair.split("="))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Integer.parseInt(pair[1])));
        int from = Math.min(query.get("offset"), files.size());
        int to = Math.min(from + query.get("limit"), files.size());
        byte[] page = Json.write(new DatasetPage((long) files.size(), files.subList(from, to)));
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
