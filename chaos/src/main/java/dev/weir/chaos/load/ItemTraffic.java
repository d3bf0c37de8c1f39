package dev.weir.chaos.load;

import dev.weir.chaos.judge.Disturbance;
import dev.weir.chaos.judge.ItemJudge;
import dev.weir.chaos.judge.Overlap;
import dev.weir.chaos.judge.SeenItem;
import dev.weir.chaos.judge.SeenLease;
import dev.weir.chaos.judge.Violation;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A queue that is fed and worked off by HTTP all the time, by a feeder and workers that no fault hits. */
public final class ItemTraffic implements AutoCloseable {

    static final String PATH = "/queue/chaos";
    static final int ATTEMPTS = 2;

    private static final int WORKERS = 4;
    static final int GROUPS = 5;
    private static final int IN_FLIGHT = 2;
    private static final String SETTINGS =
            "{\"lease_s\":30,\"attempts\":" + ATTEMPTS + ",\"back_off_s\":1,\"max_back_off_s\":1}";
    private static final String FEEDER = "feeder";
    private static final int UNKNOWN = 404;

    private final ItemLog log = new ItemLog();
    private final CountDownLatch fed = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Crew crew = new Crew();
    private final Rest rest;
    private final QueueClient queue;

    /** Makes the queue, as soon as Weir takes it, and starts feeder and workers. */
    public ItemTraffic(Site site) throws IOException, InterruptedException {
        rest = new Rest(site);
        queue = new QueueClient(rest, PATH);
        queue.make(SETTINGS);
        for (int i = 0; i < GROUPS; i++) {
            queue.limit(group(i), IN_FLIGHT);
        }
        crew.start(FEEDER, new Feeder(rest, log, fed)::feed);
        for (int i = 0; i < WORKERS; i++) {
            crew.start("item worker " + i, new ItemWorker(rest, PATH, log, stopped)::work);
        }
    }

    static String group(int number) {
        return "host:" + number % GROUPS;
    }

    static boolean isBad(String key) {
        return key.startsWith(Flock.BAD);
    }

    /** How many items workers may have at once. */
    public int workers() {
        return WORKERS;
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
        return crew.isAlive(FEEDER) ? log.open() + 1 : log.open();
    }

    /**
     * What was violated. A lease whose end no worker could tell keeps its item until it runs out.
     *
     * @param disturbances in which Weir may have forgotten what it answered
     */
    public List<Violation> judge(List<Disturbance> disturbances) throws IOException, InterruptedException {
        List<Violation> violations = new ArrayList<>(queue.left());
        for (int i = 0; i < GROUPS; i++) {
            List<SeenLease> leases = log.leasesOf(group(i));
            violations.addAll(Overlap.judge("group over its limit", group(i), IN_FLIGHT, leases, disturbances));
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
        crew.close();
    }
}
