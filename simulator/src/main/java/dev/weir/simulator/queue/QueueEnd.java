package dev.weir.simulator.queue;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.scenario.Rand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** After the faults: everything that is there is taken and finished, and owners with work get their shares. */
final class QueueEnd {

    private static final String FAIR = "fair";
    private static final int MOST_TURNS = 600;
    private static final int WAIT_MILLIS = 5_000;
    private static final int PRIORITY = 3;
    /** Of each owner. */
    private static final int URGENT = 3;

    private static final List<String> OWNERS = List.of("a", "b", "c");

    private final QueueWorld world;
    private final Rand rand;
    private int keys;

    QueueEnd(QueueWorld world, long seed) {
        this.world = world;
        rand = Rand.of(seed, "end");
    }

    void run() {
        world.heal();
        world.judge.naive.queues.values().forEach(this::endRuns);
        drain();
        shares();
    }

    /** Nothing of a queue runs again. */
    private void endRuns(NaiveQueue queue) {
        world.send(new Configure(world.next(), queue.name, RestDraw.withoutAnswers(queue.settings)));
        queue.rests.recurring().forEach(rest -> world.send(new Remove(world.next(), queue.name, rest.key)));
        for (NaiveItem item : List.copyOf(queue.items.values())) {
            if (queue.items.get(item.key) == item && item.recurs()) {
                if (item.isLive()) {
                    world.send(RestDraw.never(world.next(), queue.name, item));
                }
                if (runsAgain(queue.items.get(item.key))) {
                    // It is dead, or the push was refused: what follows it has another kind, or no room.
                    world.send(new Remove(world.next(), queue.name, item.key));
                }
            }
        }
    }

    private static boolean runsAgain(NaiveItem item) {
        return item != null && (item.successor == null ? item.wanted : item.successor).recurs();
    }

    private void drain() {
        for (int i = 0; i < MOST_TURNS && !isEmpty(); i++) {
            if (QueueDraw.QUEUES.stream().allMatch(queue -> world.takeOne(queue) == null)) {
                world.pass(WAIT_MILLIS);
            }
        }
        Violation.check(isEmpty(), "everything ends once nothing fails", world.judge.naive.queues.values());
    }

    private boolean isEmpty() {
        return world.judge.naive.queues.values().stream().allMatch(queue -> queue.live() == 0);
    }

    /** Twice as much of each owner as a round takes: in a round each gets its weight. Then urgent ones, of which each gets as many. */
    private void shares() {
        world.send(new Configure(world.next(), FAIR, QueueSettings.defaults()));
        Map<String, Integer> weights = new HashMap<>();
        for (String owner : OWNERS) {
            weights.put(owner, rand.between(1, 4));
            world.send(new SetOwner(world.next(), FAIR, owner, weights.get(owner), null));
        }
        int round = weights.values().stream().mapToInt(weight -> weight).sum();
        weights.forEach((owner, weight) -> push(owner, PRIORITY, 2 * weight));
        take(round, weights);
        OWNERS.forEach(owner -> push(owner, 1, URGENT));
        for (int i = 0; i < URGENT; i++) {
            take(OWNERS.size(), Map.of("a", 1, "b", 1, "c", 1));
        }
        take(round, weights);
    }

    private void push(String owner, int priority, int count) {
        for (int i = 0; i < count; i++) {
            Item item = new Item("f" + keys++, null, owner, priority, null, null, null, null, null, null, null);
            world.send(new Push(world.next(), FAIR, item));
        }
    }

    private void take(int count, Map<String, Integer> expected) {
        Map<String, Integer> taken = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String owner = world.takeOne(FAIR);
            if (owner != null) {
                taken.merge(owner, 1, Integer::sum);
            }
        }
        Violation.check(taken.equals(expected), "owners with work get shares by their weights", expected, "got", taken);
    }
}
