package dev.weir.gateway.http;

import static dev.weir.gateway.access.Role.OPERATOR;
import static dev.weir.gateway.access.Role.VIEWER;
import static dev.weir.gateway.access.Role.WFMS;

import dev.weir.gateway.live.Change;
import dev.weir.gateway.live.Subscription;
import dev.weir.gateway.live.Watch;
import dev.weir.protocol.Json;
import dev.weir.web.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * {@code GET /events}: sends clients what has changed, as server-sent events. Each client has a thread, since writing to a slow one blocks; the watch
 * lets no more than a hundred in.
 */
final class Events implements AutoCloseable {

    private static final int MOST_SECONDS = 3600;
    private static final long KEEP_ALIVE_MILLIS = 10_000;
    private static final byte[] COMMENT = ": keep-alive\n\n".getBytes(StandardCharsets.UTF_8);

    private final Watch watch;
    private final Guard guard;
    private final ExecutorService writers = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "gateway-events");
        thread.setDaemon(true);
        return thread;
    });

    Events(Watch watch, Guard guard) {
        this.watch = watch;
        this.guard = guard;
    }

    void addTo(RoutesConfig routes) {
        routes.get("/events", this::events, VIEWER, WFMS, OPERATOR);
    }

    private void events(Context http) {
        Params.allow(http, "seconds");
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Params.seconds(http, "seconds", MOST_SECONDS));
        Subscription subscription = watch.subscribe().orElseThrow(() -> {
            http.header("Retry-After", "10");
            return new Problem(
                    503, "Too many listeners", "as many clients hear of changes as may; ask for what you need instead");
        });
        http.status(200).contentType("text/event-stream; charset=utf-8");
        // Proxies that would keep what is not a whole answer.
        http.header("X-Accel-Buffering", "no");
        CompletableFuture<Void> over = new CompletableFuture<>();
        http.future(() -> {
            writers.execute(() -> {
                try (subscription) {
                    tell(http, subscription, until);
                } catch (IOException e) {
                    // The client has gone.
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    over.complete(null);
                }
            });
            return over;
        });
    }

    private void tell(Context http, Subscription subscription, long until) throws IOException, InterruptedException {
        OutputStream out = http.res().getOutputStream();
        out.write(COMMENT);
        out.flush();
        while (!subscription.isClosed() && guard.isStillValid(http)) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (left <= 0) {
                return;
            }
            Change change = subscription.take(Math.min(left, KEEP_ALIVE_MILLIS));
            out.write(change == null ? COMMENT : event(change));
            out.flush();
        }
    }

    private static byte[] event(Change change) {
        String json = new String(Json.write(change), StandardCharsets.UTF_8);
        return ("event: change\ndata: " + json + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    /** To be closed after the watch, which ends what is told. */
    @Override
    public void close() {
        writers.shutdown();
        try {
            // A slow client's stream is cut.
            if (!writers.awaitTermination(2, TimeUnit.SECONDS)) {
                writers.shutdownNow();
            }
        } catch (InterruptedException e) {
            writers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
