package dev.weir.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.chaos.judge.Disturbance;
import dev.weir.chaos.judge.ItemJudge;
import dev.weir.chaos.judge.SeenItem;
import dev.weir.chaos.judge.Violation;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A queue that is fed and worked off by HTTP all the time, by a feeder and workers that no fault hits. */
public final class ItemTraffic implements AutoCloseable {

    static final String PATH = "/queue/chaos";
    static final int ATTEMPTS = 2;

    private static final int WORKERS = 4;
    private static final int GROUPS = 5;
    private static final String SETTINGS =
            "{\"lease_s\":30,\"attempts\":" + ATTEMPTS + ",\"back_off_s\":1,\"max_back_off_s\":1}";
    private static final int STARTS = 600;
    private static final long AGAIN_MILLIS = 200;
    private static final int CLOSE_MILLIS = 30_000;
    private static final int UNKNOWN = 404;

    private final ItemLog log = new ItemLog();
    private final CountDownLatch fed = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final Rest rest;

    /** Work until interrupted. */
    private interface Work {
        void run() throws InterruptedException;
    }

    /** Makes the queue, as soon as Weir takes it, and starts feeder and workers. */
    public ItemTraffic(Site site) throws IOException, InterruptedException {
        rest = new Rest(site);
        insist(PATH, SETTINGS);
        for (int i = 0; i < GROUPS; i++) {
            insist("/queue-limit", "{\"group\":\"" + group(i) + "\",\"max_in_flight\":2}");
        }
        start("feeder", new Feeder(rest, log, fed)::feed);
        for (int i = 0; i < WORKERS; i++) {
            start("item worker " + i, new ItemWorker(rest, log, stopped)::work);
        }
    }

    private void insist(String path, String body) throws IOException, InterruptedException {
        Rest.Answer answer = rest.put(path, body);
        for (int tries = 1; !answer.isOk(); tries++) {
            if (tries == STARTS) {
                throw new IOException("PUT " + path + " is answered with " + answer);
            }
            var unused = stopped.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            answer = rest.put(path, body);
        }
    }

    private void start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    static String group(int number) {
        return "host:" + number % GROUPS;
    }

    static boolean isBad(String key) {
        return key.startsWith(Flock.BAD);
    }

    /** How often a worker got an item so far. */
    public int leases() {
        return log.leases();
    }

    /** How many items the queue has accepted. */
    public int accepted() {
        return log.accepted().size();
    }

    /** Pushes nothing any more. */
    public void finish() {
        fed.countDown();
    }

    /** Items that are not over yet, as far as workers know. */
    public int open() {
        return threads.get(0).isAlive() ? log.open() + 1 : log.open();
    }

    /**
     * What was violated. A lease whose end no worker could tell keeps its item until it runs out.
     *
     * @param disturbances in which Weir may have forgotten what it answered
     */
    public List<Violation> judge(List<Disturbance> disturbances) throws IOException, InterruptedException {
        List<Violation> violations = new ArrayList<>();
        JsonNode left = rest.get(PATH).body();
        for (String state : List.of("waiting", "later", "leased")) {
            if (left.path(state).asInt(-1) != 0) {
                violations.add(new Violation("items left", null, null, left.path(state) + " are " + state));
            }
        }
        for (String key : log.accepted()) {
            SeenItem item = new SeenItem(key, log.wasPushedOnce(key), log.leases(key), state(key));
            violations.addAll(ItemJudge.judge(item, isBad(key), disturbances));
        }
        return violations;
    }

    private String state(String key) throws IOException, InterruptedException {
        Rest.Answer answer = rest.get(PATH + "/item?key=" + key);
        return answer.status() == UNKNOWN
                ? SeenItem.GONE
                : answer.body().path("state").asText("unknown");
    }

    @Override
    public void close() throws InterruptedException {
        fed.countDown();
        stopped.countDown();
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join(CLOSE_MILLIS);
        }
    }
}
