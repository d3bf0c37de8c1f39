package dev.weir.chaos.load;

import dev.weir.chaos.judge.AnswerJudge;
import dev.weir.chaos.judge.Disturbance;
import dev.weir.chaos.judge.SeenAnswer;
import dev.weir.chaos.judge.Violation;
import dev.weir.testing.site.Site;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A queue whose answers are asked for by HTTP all the time, by askers and workers that no fault hits. */
public final class AnswerTraffic implements AutoCloseable {

    private static final String QUEUE = "/queue/chaos-answers";
    private static final String ANSWERS = "/answer/chaos-answers";
    private static final int HANDS = 2;
    private static final Duration FRESH = Duration.ofSeconds(10);
    private static final String SETTINGS =
            "{\"lease_s\":30,\"attempts\":2,\"back_off_s\":1,\"max_back_off_s\":1,\"fresh_s\":" + FRESH.toSeconds()
                    + "}";

    private final ItemLog log = new ItemLog();
    private final Queue<SeenAnswer> seen = new ConcurrentLinkedQueue<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Crew crew = new Crew();
    private final QueueClient queue;

    /** Makes the queue, as soon as Weir takes it, and starts askers and workers. */
    public AnswerTraffic(Site site) throws IOException, InterruptedException {
        Rest rest = new Rest(site);
        queue = new QueueClient(rest, QUEUE);
        queue.make(SETTINGS);
        for (int i = 0; i < HANDS; i++) {
            crew.start("asker " + i, new Asker(rest, ANSWERS, FRESH, seen, asked, i)::ask);
            crew.start("answer worker " + i, new ItemWorker(rest, QUEUE, log, stopped)::work);
        }
    }

    /** How many answers came so far. */
    public int answers() {
        return seen.size();
    }

    /** How often a worker was told to look up an answer. */
    public int lookups() {
        return log.leases();
    }

    /** Asks nothing any more. */
    public void finish() {
        asked.countDown();
    }

    /**
     * What was violated.
     *
     * @param disturbances in which Weir may have forgotten what it answered
     */
    public List<Violation> judge(List<Disturbance> disturbances) throws IOException, InterruptedException {
        List<Violation> violations = new ArrayList<>(queue.left());
        violations.addAll(AnswerJudge.judge(List.copyOf(seen), log::leases, disturbances));
        return violations;
    }

    @Override
    public void close() throws InterruptedException {
        asked.countDown();
        stopped.countDown();
        crew.close();
    }
}
