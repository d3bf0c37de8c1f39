package dev.weir.cli.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.pilot.run.ItemRun;
import dev.weir.pilot.run.ItemRun.Outcome;
import dev.weir.pilot.run.StopSignal;
import dev.weir.protocol.queue.QueueLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one item after the other and runs the program for it. */
final class WorkerSlot {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlot.class);

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final long SHORTEST_PAUSE_MILLIS = 250;
    private static final long LONGEST_PAUSE_MILLIS = 15_000;

    private static final int CONFLICT = 409;

    /** What is more than one value, or has a name twice, is text: a reader would drop a part of it. */
    private static final ObjectReader ONE_VALUE = GatewayClient.JSON
            .reader()
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .with(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private final Worker worker;
    private final int number;
    private final QueueCalls calls;
    private final Worker.Settings settings;
    private final ScheduledExecutorService extender;
    private Thread thread;
    private boolean waits;
    /** Of the program that runs; null while none does. */
    private StopSignal running;

    private long stoppedAt;
    /** Of the first failure after an answer; 0 when there is none. */
    private long failingSince;

    /** @param number from 0; programs see it */
    WorkerSlot(
            Worker worker, int number, QueueCalls calls, Worker.Settings settings, ScheduledExecutorService extender) {
        this.worker = worker;
        this.number = number;
        this.calls = calls;
        this.settings = settings;
        this.extender = extender;
    }

    Thread start(String name) {
        thread = new Thread(this::work, name);
        thread.start();
        return thread;
    }

    synchronized void stop() {
        stoppedAt = System.nanoTime();
        if (running != null) {
            running.request(StopSignal.Cause.SHUTDOWN, "the worker ends");
        }
        stopWaiting();
    }

    synchronized void stopWaiting() {
        if (waits) {
            thread.interrupt();
        }
    }

    private void work() {
        try {
            while (worker.mayBegin()) {
                Optional<JsonNode> item = pop();
                if (item.isEmpty()) {
                    worker.didNotBegin();
                    worker.endIfIdle();
                    continue;
                }
                worker.begins();
                try {
                    run(item.get());
                } finally {
                    worker.ends();
                }
            }
        } catch (IOException e) {
            worker.gaveUp(e);
        } catch (RuntimeException | Error e) {
            worker.gaveUp(new IOException("a slot of the worker failed: " + e, e));
        }
    }

    /** Empty when none came, or the worker ends. */
    private Optional<JsonNode> pop() throws IOException {
        Duration wait =
                settings.maxIdle().isZero() || settings.maxIdle().compareTo(WAIT) > 0 ? WAIT : settings.maxIdle();
        for (long pause = SHORTEST_PAUSE_MILLIS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
            if (!beginWaiting()) {
                return Optional.empty();
            }
            long asked = System.nanoTime();
            try {
                Optional<JsonNode> item = calls.pop(wait);
                if (failingSince != 0) {
                    // Nobody knows whether there were items meanwhile.
                    worker.idleSince(asked);
                }
                failingSince = 0;
                return item;
            } catch (IOException e) {
                if (worker.isStopping()) {
                    return Optional.empty();
                }
                retryLater(e, pause);
            } finally {
                endWaiting();
            }
        }
    }

    private synchronized boolean beginWaiting() {
        waits = !worker.isStopping();
        return waits;
    }

    private synchronized void endWaiting() {
        waits = false;
        // What came too late to interrupt the wait must not end what follows.
        var unused = Thread.interrupted();
    }

    /** Pauses after a failure that may pass; throws any other. */
    private void retryLater(IOException failure, long pauseMillis) throws IOException {
        boolean mayPass = !(failure instanceof GatewayRefusal refusal) || refusal.mayPass();
        failingSince = failingSince == 0 ? System.nanoTime() : failingSince;
        if (!mayPass
                || System.nanoTime() - failingSince > settings.reconnectFor().toNanos()) {
            throw failure;
        }
        LOG.warn("{}; trying again", failure.getMessage());
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        try {
            do {
                TimeUnit.MILLISECONDS.sleep(SHORTEST_PAUSE_MILLIS);
            } while (System.nanoTime() < until && !worker.isStopping());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(JsonNode item) throws IOException {
        String token = item.path("token").asText();
        StopSignal stop = new StopSignal();
        setRunning(stop);
        // Named at each extend: the queue may give shorter leases by then, of which a third of this one is too much.
        long leaseS = item.path("lease_s").asLong();
        long third = Math.max(1_000, leaseS * 1_000 / 3);
        // One that hangs must not keep the next from its time.
        Duration limit = Duration.ofMillis(third);
        ScheduledFuture<?> extending = extender.scheduleAtFixedRate(
                () -> extend(token, leaseS, limit, stop), third, third, TimeUnit.MILLISECONDS);
        try {
            Outcome outcome = new ItemRun(settings.command(), settings.limits(), stop)
                    .run(settings.directory(), payload(item), about(item));
            failingSince = 0;
            if (outcome.end() == ItemRun.End.UNABLE) {
                // Before the item is back, or another slot would take it again.
                worker.gaveUp(new IOException(outcome.error() + "; the item goes back, and this worker ends"));
            }
            report(token, outcome, stop);
        } finally {
            extending.cancel(false);
            setRunning(null);
        }
    }

    private synchronized void setRunning(StopSignal stop) {
        running = stop;
        if (stop != null && worker.isStopping() && stoppedAt != 0) {
            stop.request(StopSignal.Cause.SHUTDOWN, "the worker ends");
        }
    }

    private void extend(String token, long leaseS, Duration limit, StopSignal stop) {
        try {
            calls.extend(token, leaseS, limit);
        } catch (IOException e) {
            if (e instanceof GatewayRefusal refusal && refusal.status() == CONFLICT) {
                stop.request(StopSignal.Cause.CANCEL, "the lease is lost");
            } else {
                LOG.warn("A lease was not extended: {}", e.getMessage());
            }
        } catch (RuntimeException | Error e) {
            // Thrown, it would be the last time.
            LOG.warn("A lease was not extended", e);
        }
    }

    private static byte[] payload(JsonNode item) {
        JsonNode payload = item.path("payload");
        return payload.isMissingNode() || payload.isNull()
                ? new byte[0]
                : payload.toString().getBytes(StandardCharsets.UTF_8);
    }

    private Map<String, String> about(JsonNode item) {
        Map<String, String> about = new LinkedHashMap<>();
        about.put("KEY", item.path("key").asText());
        about.put("KIND", item.path("kind").asText());
        about.put("OWNER", item.path("owner").asText());
        about.put("ATTEMPT", item.path("attempt").asText());
        about.put("QUEUE", calls.queue());
        about.put("WEIR_SLOT", String.valueOf(number));
        return about;
    }

    private void report(String token, Outcome outcome, StopSignal stop) throws IOException {
        ObjectNode body = GatewayClient.JSON.createObjectNode().put("token", token);
        switch (outcome.end()) {
            case FINISHED -> finished(body, outcome.result());
            case FAILED -> body.put("end", "failed").put("error", outcome.error());
            case STOPPED, UNABLE -> body.put("end", "released");
        }
        boolean mayBeDone = false;
        boolean isUnable = outcome.end() == ItemRun.End.UNABLE;
        long begun = System.nanoTime();
        for (long pause = SHORTEST_PAUSE_MILLIS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS)) {
            try {
                calls.done(body);
                failingSince = 0;
                count(body.path("end").asText());
                return;
            } catch (IOException e) {
                if (isOfResult(e, body)) {
                    // The program printed what no result may be: one item fails, and the worker goes on.
                    body.remove("result");
                    body.put("end", "failed").put("error", "the result was refused: " + e.getMessage());
                    continue;
                }
                if (e instanceof GatewayRefusal refusal && refusal.status() == CONFLICT) {
                    ended(body.path("end").asText(), mayBeDone, e.getMessage());
                    return;
                }
                mayBeDone |= GatewayClient.mayBeDone(e);
                if (isUnable ? isTooLate(begun) : stoppedAt != 0 && isTooLate(begun) && isTooLate(stoppedAt)) {
                    // The lease ends by itself.
                    throw e;
                }
                retryLater(e, pause);
            }
        }
    }

    private boolean isTooLate(long since) {
        return System.nanoTime() - since > settings.lastTries().toNanos();
    }

    /** The lease is over. Where an end of it was sent before, that may have been heard, and its answer lost. */
    private void ended(String end, boolean mayBeDone, String reason) {
        if (mayBeDone) {
            LOG.warn("The lease of an item has ended, perhaps by the first try to end it: {}", reason);
            count(end);
        } else {
            LOG.warn("The lease of an item was lost, and what the program did counts for nothing: {}", reason);
            worker.lost();
        }
    }

    private static boolean isOfResult(IOException failure, ObjectNode body) {
        return failure instanceof GatewayRefusal refusal && refusal.isOfBody() && body.has("result");
    }

    private void count(String end) {
        switch (end) {
            case "finished" -> worker.finished();
            case "failed" -> worker.failed();
            default -> worker.released();
        }
    }

    /** A result that is too long is a failure: it would be refused. */
    private static void finished(ObjectNode body, byte[] printed) {
        JsonNode result = result(printed);
        int bytes = result == null ? 0 : result.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > QueueLimits.MAX_PAYLOAD_BYTES) {
            body.put("end", "failed")
                    .put(
                            "error",
                            "the result has " + bytes + " bytes of JSON, more than " + QueueLimits.MAX_PAYLOAD_BYTES);
            return;
        }
        body.put("end", "finished");
        if (result != null) {
            body.set("result", result);
        }
    }

    private static JsonNode result(byte[] printed) {
        String text = new String(printed, StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            return null;
        }
        try {
            return ONE_VALUE.readTree(text);
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(text);
        }
    }
}
