package dev.weir.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.protocol.queue.QueueLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the items of a queue between two marks. For one thread. */
final class Feed {

    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
    private static final long LONGEST_PAUSE_MILLIS = 15_000;
    private static final double LONGEST_WAIT_SECONDS = 30;
    private static final int FORBIDDEN = 403;
    private static final long TELL_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final GatewayClient gateway;
    private final String path;
    private final FeedSource source;
    private final Settings settings;
    private long pushed;
    private long known;
    private long refused;
    /** When it began, or the last new item came into the queue, or that was not low. */
    private long idleSince;

    /** Of the first item of the last push that found no room. */
    private String whyFull;
    /** Null before the first time. */
    private Long toldOfFullAt;

    /**
     * When it asks for how much.
     *
     * @param low asks when fewer wait or are put off; null: the mark of the queue, or {@value #LOW} if it has none
     * @param high fills up to so many, at least {@code low}
     * @param every between two looks, if the queue does not announce that it is low
     * @param maxIdle ends when nothing new has come into the queue for so long, though it was low; zero: never
     * @param reconnectFor how long to go on without gateway or source
     */
    record Settings(Integer low, int high, Duration every, Duration maxIdle, Duration reconnectFor) {

        static final int LOW = 100;

        /** What {@code low} is for a queue with this mark. */
        int lowFor(int mark) {
            return low != null ? low : Math.min(high, mark > 0 ? mark : LOW);
        }
    }

    /**
     * How full the queue is.
     *
     * @param mark its announcement comes when it has fewer; 0 for none
     */
    private record Fill(long items, int mark) {}

    /**
     * What it did.
     *
     * @param known items whose key was in the queue already
     * @param refused items that the queue will never take
     * @param left items for which there was no room until the end
     */
    record Summary(long pushed, long known, long refused, long left) {

        String line(String queue) {
            return "Feed of queue " + queue + " ended. Items pushed: " + pushed + ", known before: " + known
                    + ", refused: " + refused + (left == 0 ? "" : ", without room: " + left);
        }

        String json() {
            return GatewayClient.JSON
                    .createObjectNode()
                    .put("pushed", pushed)
                    .put("known", known)
                    .put("refused", refused)
                    .put("left", left)
                    .toString();
        }
    }

    Feed(GatewayClient gateway, String queue, FeedSource source, Settings settings) {
        this.gateway = gateway;
        path = "queue/" + GatewayClient.part(queue);
        this.source = source;
        this.settings = settings;
    }

    /** Runs until nothing new has come for too long. Throws what will not pass. */
    Summary run() throws IOException, InterruptedException {
        idleSince = System.nanoTime();
        boolean fills = false;
        Fill fill = retried(() -> fill(Duration.ZERO));
        while (true) {
            fills = fill.items() < (fills ? settings.high() : settings.lowFor(fill.mark()));
            int most = (int) Math.min(settings.high() - fill.items(), QueueLimits.MAX_ITEMS);
            List<JsonNode> given = fills ? retried(() -> source.next(most)) : List.of();
            long before = pushed;
            int left = pushAll(given);
            if (left > 0) {
                return new Summary(pushed, known, refused, left);
            }
            if (pushed > before) {
                fill = retried(() -> fill(Duration.ZERO));
                continue;
            }
            // A source that gives only what the queue knows or refuses has nothing, as an empty one.
            idleSince = fills ? idleSince : System.nanoTime();
            if (isIdle()) {
                return new Summary(pushed, known, refused, 0);
            }
            fill = pause(fill, fills);
        }
    }

    private boolean isIdle() {
        return !settings.maxIdle().isZero()
                && System.nanoTime() - idleSince >= settings.maxIdle().toNanos();
    }

    /** A source that has nothing is asked again after a while; a queue that is not low yet says so. */
    private Fill pause(Fill fill, boolean sourceIsEmpty) throws IOException, InterruptedException {
        boolean isAnnounced = !sourceIsEmpty && fill.mark() > 0 && fill.items() >= fill.mark();
        if (!isAnnounced) {
            TimeUnit.NANOSECONDS.sleep(settings.every().toNanos());
        }
        return retried(() -> fill(isAnnounced ? settings.every() : Duration.ZERO));
    }

    /** @param wait how long to wait until the queue is low */
    private Fill fill(Duration wait) throws IOException {
        double seconds = Math.min(wait.toMillis() / 1e3, LONGEST_WAIT_SECONDS);
        JsonNode queue = gateway.get(path, seconds > 0 ? Map.of("wait_s", Double.toString(seconds)) : Map.of());
        return new Fill(
                queue.path("waiting").asLong() + queue.path("later").asLong(),
                queue.path("settings").path("low").asInt());
    }

    /** Where there is no room, the rest waits for it, and so does all that comes after. Returns for how many that took too long. */
    private int pushAll(List<JsonNode> given) throws IOException, InterruptedException {
        List<JsonNode> left = push(given);
        while (!left.isEmpty()) {
            tellOfFull(left.get(0));
            if (isIdle()) {
                return left.size();
            }
            TimeUnit.NANOSECONDS.sleep(settings.every().toNanos());
            left = push(left);
        }
        return 0;
    }

    private void tellOfFull(JsonNode item) {
        long now = System.nanoTime();
        if (toldOfFullAt == null || now - toldOfFullAt >= TELL_AGAIN_NANOS) {
            toldOfFullAt = now;
            LOG.warn("No room for item {}, and the feed waits for it: {}", item.path("key"), whyFull);
        }
        whyFull = null;
    }

    /** Returns those for which the queue was full. In halves where something is wrong with one of them or the list is too long: it is refused as a whole then. */
    private List<JsonNode> push(List<JsonNode> given) throws IOException, InterruptedException {
        if (given.isEmpty()) {
            return List.of();
        }
        ObjectNode body = GatewayClient.JSON.createObjectNode();
        given.forEach(body.putArray("items")::add);
        JsonNode outcomes;
        try {
            outcomes = retried(() -> gateway.post(path + "/items", body.toString()))
                    .path("outcomes");
        } catch (GatewayRefusal e) {
            if (!isOfItem(e)) {
                throw e;
            }
            if (given.size() == 1) {
                refused(given.get(0), e.getMessage());
                return List.of();
            }
            int half = given.size() / 2;
            List<JsonNode> full = new ArrayList<>(push(given.subList(0, half)));
            full.addAll(push(given.subList(half, given.size())));
            return full;
        }
        List<JsonNode> full = new ArrayList<>();
        for (int i = 0; i < outcomes.size(); i++) {
            JsonNode outcome = outcomes.get(i);
            switch (outcome.path("outcome").asText()) {
                case "created" -> {
                    pushed++;
                    idleSince = System.nanoTime();
                }
                case "full" -> {
                    whyFull = whyFull == null ? outcome.path("reason").asText() : whyFull;
                    full.add(given.get(i));
                }
                case "refused" -> refused(given.get(i), outcome.path("reason").asText());
                default -> known++;
            }
        }
        return full;
    }

    /** Whether one item is refused, for what it is or because the token may not push it, and not the queue. */
    private static boolean isOfItem(GatewayRefusal refusal) {
        return refusal.isOfBody()
                || refusal.status() == FORBIDDEN && refusal.field().startsWith("items[");
    }

    private void refused(JsonNode item, String reason) {
        refused++;
        LOG.warn("Item {} is refused: {}", item.path("key"), reason);
    }

    /** A step that may fail for a while. */
    private interface Step<T> {
        T run() throws IOException;
    }

    private <T> T retried(Step<T> step) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        boolean hasWaited = false;
        long first = Math.min(settings.every().toMillis(), LONGEST_PAUSE_MILLIS);
        for (long pause = first; ; pause = Math.min(pause * 2 + 1, LONGEST_PAUSE_MILLIS)) {
            try {
                T result = step.run();
                if (hasWaited) {
                    // An outage says nothing about what there is to do.
                    idleSince = System.nanoTime();
                }
                return result;
            } catch (FeedSource.Wrong e) {
                throw e;
            } catch (IOException e) {
                boolean mayPass = !(e instanceof GatewayRefusal refusal) || refusal.mayPass();
                if (!mayPass
                        || System.nanoTime() - begun > settings.reconnectFor().toNanos()) {
                    throw e;
                }
                LOG.warn("{}; trying again", e.getMessage());
                hasWaited = true;
                TimeUnit.MILLISECONDS.sleep(pause);
            }
        }
    }
}
