package dev.weir.simulator.queue;

import dev.weir.protocol.Names;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.simulator.scenario.Rand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Persistent messages since the last checkpoint: after a crash the broker gives them again. It has two queues, and each keeps its order. */
final class Unread {

    private final List<QueueEntry> all = new ArrayList<>();

    void add(QueueEntry entry) {
        all.add(entry);
    }

    /** A checkpoint has them. */
    void clear() {
        all.clear();
    }

    /** In the order in which they came first. */
    List<QueueEntry> all() {
        return List.copyOf(all);
    }

    /** In an order in which they may come again. */
    List<QueueEntry> inTurns(Rand rand) {
        Deque<QueueEntry> items = new ArrayDeque<>();
        Deque<QueueEntry> done = new ArrayDeque<>();
        all.forEach(entry -> (entry.routingKey().equals(Names.ITEMS_KEY) ? items : done).add(entry));
        boolean keepsOrder = rand.chance(0.7);
        if (keepsOrder) {
            return all();
        }
        List<QueueEntry> turns = new ArrayList<>();
        while (!items.isEmpty() || !done.isEmpty()) {
            Deque<QueueEntry> next = done.isEmpty() || !items.isEmpty() && rand.chance(0.5) ? items : done;
            turns.add(next.poll());
        }
        return turns;
    }
}
