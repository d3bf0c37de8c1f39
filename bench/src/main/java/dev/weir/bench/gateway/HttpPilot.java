package dev.weir.bench.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.protocol.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A pilot without programs: it has each job for a while, and reports it as a real one does. */
final class HttpPilot {

    private final String id;
    private final URI gateway;
    private final String token;
    private final HttpClient client;
    private final ScheduledExecutorService clock;
    private final Duration job;
    private final Latencies pops;
    private final Latencies reports;
    private final LongAdder failed;
    private volatile boolean stopped;

    HttpPilot(
            String id,
            URI gateway,
            String token,
            HttpClient client,
            ScheduledExecutorService clock,
            Duration job,
            Latencies pops,
            Latencies reports,
            LongAdder failed) {
        this.id = id;
        this.gateway = gateway;
        this.token = token;
        this.client = client;
        this.clock = clock;
        this.job = job;
        this.pops = pops;
        this.reports = reports;
        this.failed = failed;
    }

    void start() {
        pop();
    }

    void stop() {
        stopped = true;
    }

    private CompletableFuture<JsonNode> post(String operation, String body) {
        HttpRequest request = HttpRequest.newBuilder(gateway.resolve("/" + operation))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.sendAsync(request, BodyHandlers.ofByteArray())
                .thenApply(HttpPilot::read)
                .whenComplete((answer, failure) -> {
                    if (failure != null && !stopped) {
                        failed.increment();
                    }
                });
    }

    private static JsonNode read(HttpResponse<byte[]> response) {
        if (response.statusCode() != 200) {
            throw new IllegalStateException("the gateway answered " + response.statusCode());
        }
        return Json.readKept(response.body(), JsonNode.class);
    }

    private void pop() {
        if (stopped) {
            return;
        }
        long asked = System.nanoTime();
        var unused = post("pop", "{\"pilot_id\":\"" + id + "\",\"queues\":[\"cpu\"],\"wait_s\":30}")
                .whenComplete((answer, failure) -> {
                    if (failure != null || !answer.has("job")) {
                        later(this::pop, failure == null ? 0 : 1000);
                        return;
                    }
                    JsonNode given = answer.get("job");
                    long from = Math.max(asked, given.get("args").asLong());
                    pops.add(System.nanoTime() - from);
                    work(given);
                });
    }

    private void work(JsonNode given) {
        var unused = report(given, "status", "starting")
                .thenCompose(done -> report(given, "status", "running"))
                .whenComplete((done, failure) -> later(() -> end(given), job.toMillis()));
    }

    private void end(JsonNode given) {
        var unused = report(given, "result", "finished").whenComplete((done, failure) -> pop());
    }

    private CompletableFuture<JsonNode> report(JsonNode given, String type, String status) {
        long asked = System.nanoTime();
        String about =
                "{\"type\":\"%s\",\"pilot_id\":\"%s\",\"pool\":\"cpu\",\"job_uid\":\"%s\",\"attempt\":1,\"route\":\"%s\",\"status\":\"%s\"}"
                        .formatted(
                                type,
                                id,
                                given.get("uid").asText(),
                                given.get("route").asText(),
                                status);
        return post("report", "{\"pilot_id\":\"" + id + "\",\"reports\":[" + about + "]}")
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        reports.add(System.nanoTime() - asked);
                    }
                });
    }

    private void later(Runnable step, long millis) {
        if (!stopped) {
            var unused = clock.schedule(step, millis, TimeUnit.MILLISECONDS);
        }
    }
}
