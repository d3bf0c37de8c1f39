package dev.weir.pilot.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.pilot.uplink.Delivery;
import dev.weir.pilot.uplink.Outbox;
import dev.weir.pilot.uplink.Uplink;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Json;
import dev.weir.protocol.Notice;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By HTTP, to the gateway. A request for a job brings notices, too; while the pilot asks for none, a thread of its own asks for notices alone, so that they come
 * at once. The gateway answers the earlier of two requests when the later one comes.
 */
final class GatewayUplink implements Uplink {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayUplink.class);

    /** Between two looks at whether to give up. */
    private static final Duration STEP = Duration.ofMillis(100);

    /** So that short jobs cost no further request. */
    private static final Duration LISTEN_AFTER = Duration.ofSeconds(1);

    /** After a job that this pilot cannot read, so that another one gets it. */
    private static final Duration REST = Duration.ofSeconds(5);

    private static final long TAKE_BACK_SECONDS = 5;

    private final GatewaySettings settings;
    private final String pilotId;
    private final Consumer<Notice> notices;
    private final GatewayCalls calls;
    private final Reach reach;
    private final Thread listener = new Thread(this::listen, "pilot-notices");
    private Outbox outbox;
    private ReportPoster poster;
    private volatile boolean closed;
    private volatile long restUntilNanos = System.nanoTime();

    /** Guarded by this, as is the time of its last change. */
    private boolean takes;

    private long changedNanos = System.nanoTime();

    GatewayUplink(GatewaySettings settings, String pilotId, Consumer<Notice> notices) {
        this.settings = settings;
        this.pilotId = pilotId;
        this.notices = notices;
        calls = new GatewayCalls(settings, pilotId);
        reach = new Reach(pilotId, settings);
        listener.setDaemon(true);
    }

    private record Given(JsonNode answer, Runnable onReject) implements Delivery {

        @Override
        public byte[] body() {
            return Json.write(answer.path("job"));
        }

        @Override
        public String pool() {
            return answer.path("pool").asText();
        }

        @Override
        public void acknowledge() {
            // The gateway has done so, with the report.
        }

        @Override
        public void reject() {
            onReject.run();
        }

        @Override
        public void giveBack() {
            LOG.info("A job is not taken; the gateway gives it to another pilot soon");
        }
    }

    @Override
    public void start(Outbox outbox) {
        this.outbox = outbox;
        poster = new ReportPoster(outbox, calls, reach, settings, this::hear);
        poster.start();
        listener.start();
    }

    @Override
    public Delivery take(BooleanSupplier givesUp) throws InterruptedException {
        Pause pause = new Pause(settings);
        boolean wasReplaced = false;
        takes(true);
        try {
            while (!givesUp.getAsBoolean()) {
                // Who asks for a job has not got the last one, unless the gateway has a report about it: it would go to
                // another pilot.
                if (!outbox.awaitConfirmed(STEP, () -> false)) {
                    continue;
                }
                Pause.until(restUntilNanos, givesUp);
                try {
                    JsonNode answer = ask(givesUp);
                    if (answer != null && answer.has("job")) {
                        return new Given(answer, this::rest);
                    }
                    wasReplaced = rest(answer == null, wasReplaced, pause, givesUp);
                } catch (ExecutionException e) {
                    reach.failed(Reach.cause(e));
                    pause.rest(givesUp);
                }
            }
            return null;
        } finally {
            takes(false);
        }
    }

    /** Null when the caller gives up, or another request took the place of this one. */
    private JsonNode ask(BooleanSupplier givesUp) throws ExecutionException, InterruptedException {
        CompletableFuture<JsonNode> coming = calls.pop(settings.pools(), settings.longPoll());
        while (true) {
            try {
                JsonNode answer = coming.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
                reach.answered();
                hear(answer);
                return answer;
            } catch (TimeoutException e) {
                if (givesUp.getAsBoolean()) {
                    takeBack(coming);
                    return null;
                }
            } catch (ExecutionException e) {
                if (isReplaced(e)) {
                    return null;
                }
                throw e;
            }
        }
    }

    /** Without this the gateway would give the request a job that no slot takes, until it notices. */
    private void takeBack(CompletableFuture<JsonNode> coming) throws InterruptedException {
        try {
            hear(calls.pop(List.of(), Duration.ZERO).get(TAKE_BACK_SECONDS, TimeUnit.SECONDS));
            hear(coming.get(TAKE_BACK_SECONDS, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The request for a job was taken back", e);
        } finally {
            coming.cancel(true);
        }
    }

    private static boolean isReplaced(ExecutionException e) {
        return Reach.cause(e) instanceof RefusedRequest refused && refused.isReplaced();
    }

    /** Two pilots with one id would replace each other's requests without a pause, at the cost of the token that they share. */
    private boolean rest(boolean isReplaced, boolean wasReplaced, Pause pause, BooleanSupplier givesUp)
            throws InterruptedException {
        if (!isReplaced) {
            pause.reset();
        } else if (wasReplaced) {
            LOG.warn("Another pilot seems to have the id {}: its requests take the place of this one's", pilotId);
            pause.rest(givesUp);
        }
        return isReplaced;
    }

    private void rest() {
        restUntilNanos = System.nanoTime() + REST.toNanos();
    }

    private synchronized void takes(boolean now) {
        takes = now;
        changedNanos = System.nanoTime();
        notifyAll();
    }

    /**
     * Waits until no job has been asked for for a while.
     *
     * @return when that last changed
     */
    private synchronized long awaitTurn() throws InterruptedException {
        while (true) {
            long left = Duration.ofNanos(changedNanos + LISTEN_AFTER.toNanos() - System.nanoTime())
                    .toMillis();
            if (!takes && left <= 0) {
                return changedNanos;
            }
            wait(takes ? 0 : left);
        }
    }

    /** Whether this pilot has asked for a job since its turn to listen, and so has taken the place of its own request. */
    private synchronized boolean hasAskedSince(long turn) {
        return changedNanos != turn;
    }

    private void listen() {
        Pause pause = new Pause(settings);
        boolean wasReplaced = false;
        try {
            while (!closed) {
                long turn = awaitTurn();
                try {
                    hear(calls.pop(List.of(), settings.longPoll()).get());
                    reach.answered();
                    wasReplaced = rest(false, wasReplaced, pause, () -> closed);
                } catch (ExecutionException e) {
                    if (isReplaced(e)) {
                        wasReplaced = rest(!hasAskedSince(turn), wasReplaced, pause, () -> closed);
                    } else {
                        reach.failed(Reach.cause(e));
                        pause.rest(() -> closed);
                    }
                }
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    private void hear(JsonNode answer) {
        for (JsonNode one : answer.path("notices")) {
            try {
                notices.accept(Json.read(Json.write(one), Notice.class));
            } catch (InvalidMessage e) {
                LOG.warn("A notice cannot be read and is dropped: {}", e.getMessage());
            }
        }
    }

    @Override
    public boolean isConnected() {
        return reach.isUp();
    }

    @Override
    public String gaveUp() {
        return reach.gaveUp();
    }

    @Override
    public void close() {
        closed = true;
        listener.interrupt();
        if (poster != null) {
            poster.close();
        }
    }
}
