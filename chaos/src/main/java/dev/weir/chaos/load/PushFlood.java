package dev.weir.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Fills a queue that no worker takes from, as fast as it takes items. For one thread. */
public final class PushFlood implements AutoCloseable {

    private static final String PATH = "/queue/flood";
    private static final int CLIENTS = 4;
    private static final int ITEMS_IN_A_PUSH = 250;
    private static final long AGAIN_MILLIS = 100;

    private final Rest rest;
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicLong next = new AtomicLong();

    /** @param most items that will be pushed */
    public PushFlood(Site site, long most) throws IOException, InterruptedException {
        rest = new Rest(site);
        Rest.Answer answer = rest.put(PATH, "{\"max_items\":" + most + "}");
        if (!answer.isOk()) {
            throw new IOException("the queue for the flood cannot be made: " + answer);
        }
    }

    /** Returns when so many items are accepted. */
    public void push(long count) throws IOException, InterruptedException {
        AtomicLong left = new AtomicLong((count + ITEMS_IN_A_PUSH - 1) / ITEMS_IN_A_PUSH);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            ends.add(clients.submit(() -> {
                while (left.getAndDecrement() > 0) {
                    pushSome();
                }
                return null;
            }));
        }
        try {
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("the flood of pushes ended early: " + e.getCause(), e);
        }
    }

    private void pushSome() throws IOException, InterruptedException {
        List<String> items = new ArrayList<>();
        long first = next.getAndAdd(ITEMS_IN_A_PUSH);
        for (long n = first; n < first + ITEMS_IN_A_PUSH; n++) {
            items.add("{\"key\":\"host-%d.example\",\"owner\":\"o%d\",\"payload\":{\"host\":\"host-%d.example\"}}"
                    .formatted(n, n % 100, n));
        }
        String body = "{\"items\":[" + String.join(",", items) + "]}";
        Rest.Answer answer = rest.post(PATH + "/items", body);
        while (answer.body().path("outcomes").size() < ITEMS_IN_A_PUSH) {
            if (answer.status() != 429 && answer.status() < 500) {
                throw new IOException("a push is answered with " + answer);
            }
            var unused = never.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            answer = rest.post(PATH + "/items", body);
        }
    }

    /** How many items of it wait. */
    public long waiting() throws IOException, InterruptedException {
        JsonNode queue = rest.get(PATH).body();
        return queue.path("waiting").asLong(-1);
    }

    @Override
    public void close() {
        clients.shutdownNow();
    }
}
