package dev.weir.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.chaos.judge.SeenLease;
import dev.weir.chaos.judge.SeenLease.Reply;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Takes one item after the other, and says what became of it until Weir has answered. One thread. */
final class ItemWorker {

    private static final long WORK_MILLIS = 150;
    private static final long AGAIN_MILLIS = 200;
    private static final int CONFLICT = 409;

    private final Rest rest;
    private final String queue;
    private final ItemLog log;
    private final CountDownLatch stop;

    /** @param queue its path */
    ItemWorker(Rest rest, String queue, ItemLog log, CountDownLatch stop) {
        this.rest = rest;
        this.queue = queue;
        this.log = log;
        this.stop = stop;
    }

    /** Until it is stopped. */
    void work() throws InterruptedException {
        while (stop.getCount() > 0) {
            try {
                JsonNode answer = rest.post(queue + "/pop", "{\"wait_s\":5}").body();
                for (JsonNode item : answer.path("items")) {
                    run(item);
                }
                if (!answer.has("items")) {
                    pause(AGAIN_MILLIS);
                }
            } catch (IOException e) {
                pause(AGAIN_MILLIS);
            }
        }
    }

    private void run(JsonNode item) throws InterruptedException {
        long at = System.nanoTime();
        log.taken();
        pause(WORK_MILLIS);
        String key = item.path("key").asText();
        boolean bad = ItemTraffic.isBad(key);
        boolean flaky = key.startsWith(Flock.FLAKY) && item.path("attempt").asInt() == 1;
        boolean last = !flaky && (!bad || item.path("attempt").asInt() >= ItemTraffic.ATTEMPTS);
        long endAt = System.nanoTime();
        Reply reply = end(item.path("token").asText(), !bad && !flaky, endAt);
        if (reply != null) {
            log.ended(key, new SeenLease(at, endAt, System.nanoTime(), !bad && !flaky, reply), last);
        }
    }

    /** Null when it was stopped before there was an answer. The result says when it was made. */
    private Reply end(String token, boolean finished, long at) throws InterruptedException {
        String what = finished
                ? "\"end\":\"finished\",\"result\":{\"at\":" + at + "}"
                : "\"end\":\"failed\",\"error\":\"meant to fail\"";
        String body = "{\"token\":\"" + token + "\"," + what + "}";
        boolean first = true;
        while (stop.getCount() > 0) {
            try {
                Rest.Answer answer = rest.post(queue + "/done", body);
                if (answer.isOk()) {
                    return Reply.TAKEN;
                } else if (answer.status() == CONFLICT) {
                    return first ? Reply.OVER : Reply.UNSURE;
                }
            } catch (IOException e) {
                // The gateway is away, or Weir behind it: once more.
            }
            first = false;
            pause(AGAIN_MILLIS);
        }
        return null;
    }

    /** Shorter when it is stopped. */
    private void pause(long millis) throws InterruptedException {
        var unused = stop.await(millis, TimeUnit.MILLISECONDS);
    }
}
