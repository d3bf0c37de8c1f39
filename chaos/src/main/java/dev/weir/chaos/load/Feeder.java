package dev.weir.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a number of items in a queue, in spite of all: what was not answered is pushed again. One thread. */
final class Feeder {

    private static final int OPEN = 100;
    private static final int ITEMS_IN_A_PUSH = 10;
    private static final int OWNERS = 3;
    /** Each group has items of all: if one had the worst ones alone, only those would wait in the end, and its limit would slow all workers. */
    private static final int PRIORITIES = 5;

    private static final long LOOK_MILLIS = 200;

    private final Rest rest;
    private final ItemLog log;
    private final CountDownLatch stop;
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<String> names;
    private int next;

    Feeder(Rest rest, ItemLog log, CountDownLatch stop) {
        this.rest = rest;
        this.log = log;
        this.stop = stop;
        this.names = Flock.names(1000);
    }

    /** Until it is stopped. */
    void feed() throws InterruptedException {
        while (!stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (log.open() < OPEN) {
                push();
            }
        }
    }

    private void push() throws InterruptedException {
        Map<String, String> groups = new LinkedHashMap<>();
        List<String> items = new ArrayList<>();
        for (int i = 0; i < ITEMS_IN_A_PUSH; i++, next++) {
            String key = names.get(next % names.size()) + "-" + next / names.size();
            groups.put(key, ItemTraffic.group(next));
            items.add("{\"key\":\"%s\",\"owner\":\"o%d\",\"priority\":%d,\"groups\":[\"%s\"],\"payload\":{\"n\":%d}}"
                    .formatted(
                            key,
                            next % OWNERS,
                            1 + next / ItemTraffic.GROUPS % PRIORITIES,
                            ItemTraffic.group(next),
                            next));
        }
        String body = "{\"items\":[" + String.join(",", items) + "]}";
        boolean once = true;
        // Also after the stop, until it is answered: then each item is accepted for certain.
        for (JsonNode outcomes = tried(body); ; outcomes = tried(body)) {
            if (outcomes.size() == groups.size()) {
                boolean first = once;
                groups.forEach((key, group) -> log.pushed(key, group, first));
                return;
            }
            once = false;
            never.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Empty when it was not answered, or an item was not accepted. */
    private JsonNode tried(String body) throws InterruptedException {
        JsonNode none = Rest.JSON.createArrayNode();
        try {
            JsonNode outcomes =
                    rest.post(ItemTraffic.PATH + "/items", body).body().path("outcomes");
            for (JsonNode outcome : outcomes) {
                if (outcome.path("outcome").asText().equals("full")) {
                    return none;
                }
            }
            return outcomes;
        } catch (IOException e) {
            return none;
        }
    }
}
