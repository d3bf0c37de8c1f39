package dev.weir.chaos;

import dev.weir.chaos.hostile.Ledger;
import dev.weir.chaos.judge.Disturbance;
import dev.weir.chaos.judge.ExpectedTask;
import dev.weir.chaos.judge.Judge;
import dev.weir.chaos.judge.Outside;
import dev.weir.chaos.judge.Violation;
import dev.weir.chaos.world.World;
import dev.weir.protocol.Json;
import dev.weir.protocol.Rejected;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The end of a run: the last tasks end, and what came of all is judged. For one thread. */
final class Ending {

    /** In which at least one task or item must end, or a job be answered. */
    private static final Duration STANDSTILL = Duration.ofMinutes(3);
    /** For DSM and mirror, after the last task. */
    private static final Duration CATCH_UP = Duration.ofSeconds(90);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final World world;
    private final CountDownLatch never = new CountDownLatch(1);

    Ending(World world) {
        this.world = world;
    }

    /**
     * Returns when all tasks and items are over or have had their time; with what was violated.
     *
     * @param disturbances in which Weir may have forgotten what it answered to workers
     */
    List<Violation> judge(List<Disturbance> disturbances) throws IOException, SQLException, InterruptedException {
        world.wfms().finish();
        world.items().finish();
        world.answers().finish();
        world.crowd().hurry();
        awaitAll();
        List<Violation> violations = new ArrayList<>(tasks());
        violations.addAll(items(disturbances));
        violations.addAll(
                Outside.rejected(world.site().broker().drain(world.site().queue("rejected")).stream()
                        .filter(message -> !isHostile(message))
                        .toList()));
        return violations;
    }

    /** A message that was taken may be refused much later, as a command whose task never came. */
    private static boolean isHostile(byte[] message) {
        return Ledger.isHostile(Base64.getDecoder()
                .decode(Json.readKept(message, Rejected.class).bodyBase64()));
    }

    private void awaitAll() throws InterruptedException {
        long last = -1;
        long since = System.nanoTime();
        boolean over = false;
        while (!over) {
            long open = world.wfms().open() + world.items().open();
            long now = world.crowd().dispatches().fresh() + world.items().leases() + open;
            if (now != last) {
                last = now;
                since = System.nanoTime();
            }
            over = open == 0 || System.nanoTime() - since > STANDSTILL.toNanos();
            never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** What a worker has lost comes back when its lease ends; what stays wrong is a violation. */
    private List<Violation> items(List<Disturbance> disturbances) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Violation> wrong = ofQueues(disturbances);
        while (!wrong.isEmpty() && System.nanoTime() - begun < CATCH_UP.toNanos()) {
            never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            wrong = ofQueues(disturbances);
        }
        return wrong;
    }

    private List<Violation> ofQueues(List<Disturbance> disturbances) throws IOException, InterruptedException {
        List<Violation> wrong = new ArrayList<>(world.items().judge(disturbances));
        wrong.addAll(world.answers().judge(disturbances));
        return wrong;
    }

    /** DSM and the mirror may come a while after the event; what stays wrong is a violation. */
    private List<Violation> tasks() throws SQLException, InterruptedException {
        Outside outside = new Outside(world.site().database());
        Map<String, List<Violation>> wrong = new LinkedHashMap<>();
        List<ExpectedTask> left = new ArrayList<>(world.wfms().tasks());
        long begun = System.nanoTime();
        do {
            wrong.clear();
            for (ExpectedTask task : left) {
                List<Violation> found =
                        Judge.judge(task, outside.read(task.uid(), world.wfms().events(task.uid())));
                if (!found.isEmpty()) {
                    wrong.put(task.uid(), found);
                }
            }
            left.removeIf(task -> !wrong.containsKey(task.uid()));
            never.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } while (!left.isEmpty() && System.nanoTime() - begun < CATCH_UP.toNanos());
        return wrong.values().stream().flatMap(List::stream).toList();
    }
}
