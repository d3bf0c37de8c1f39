package dev.weir.queues.item;

import dev.weir.protocol.queue.QueueLimits;
import dev.weir.protocol.queue.Rank;
import dev.weir.queues.api.Ranker;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Owner;
import dev.weir.queues.model.Queue;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes priorities of facts. */
public final class Ranks {

    /** Better ones are for those who ask, and for what was pushed with it. */
    private static final int BEST = 2;

    private final Lane lane;
    private final Map<String, Ranker> rankers = new TreeMap<>();
    /** Rankers that have failed in this run. */
    private final Set<String> failed = new HashSet<>();

    private final List<String> problems = new ArrayList<>();

    /** @param more beside the weighted one */
    public Ranks(Lane lane, List<Ranker> more) {
        this.lane = lane;
        more.forEach(ranker -> rankers.put(ranker.name(), ranker));
        Ranker weighted = new Weighted();
        rankers.put(weighted.name(), weighted);
    }

    /** The given priority less the sum of facts times weights. */
    private static final class Weighted implements Ranker {

        @Override
        public String name() {
            return Rank.WEIGHTED;
        }

        @Override
        public long priority(int given, Map<String, Double> facts, Map<String, Double> weights) {
            double sum = 0;
            // In an order that is always the same: sums of doubles depend on it.
            for (Map.Entry<String, Double> weight : new TreeMap<>(weights).entrySet()) {
                sum += weight.getValue() * facts.getOrDefault(weight.getKey(), 0.0);
            }
            return Math.round(given - sum);
        }
    }

    /** Why a queue can't rank like this; null when it can. */
    String fault(Rank rank) {
        return rank == null || rankers.containsKey(rank.ranker())
                ? null
                : "there is no ranker " + rank.ranker() + "; there are " + String.join(", ", rankers.keySet());
    }

    /** The content of an item with the priority that it has now. */
    Content ranked(Queue queue, ItemRecord item) {
        return item.content.ranked(item.asked ? 1 : priority(queue, item.content));
    }

    /** The given one, of an item whose ranker has gone with its jar, or fails: no other item notices. */
    private int priority(Queue queue, Content content) {
        Rank rank = queue.settings().rank();
        Ranker ranker = rank == null ? null : rankers.get(rank.ranker());
        if (ranker == null || content.given() == 1) {
            return content.given();
        }
        Map<String, Double> facts = content.facts();
        Owner owner = queue.owner(content.owner());
        if (owner != null && !owner.facts().isEmpty()) {
            facts = new HashMap<>(owner.facts());
            facts.putAll(content.facts());
        }
        try {
            long priority = ranker.priority(content.given(), facts, rank.weights());
            return (int) Math.max(BEST, Math.min(QueueLimits.WORST_PRIORITY, priority));
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            if (failed.add(ranker.name())) {
                problems.add("Ranker " + ranker.name() + " of queue " + queue.name() + " fails with " + e
                        + "; where it does, items keep the priority that they were pushed with");
            }
            return content.given();
        }
    }

    /** What an operator should know, once. */
    public List<String> takeProblems() {
        List<String> taken = List.copyOf(problems);
        problems.clear();
        return taken;
    }

    /** All items of a queue that wait are ranked anew, step by step. */
    void rankAll(Queue queue) {
        queue.owners().forEach(queue::rankAnew);
        goOn(queue);
    }

    void rankAll(Queue queue, Owner owner) {
        queue.rankAnew(owner);
        goOn(queue);
    }

    private void goOn(Queue queue) {
        boolean ranking = queue.isRanking();
        if (ranking) {
            lane.timers.set(queue.rank, lane.now());
        }
        if (queue.record.ranking != ranking) {
            queue.record.ranking = ranking;
            lane.changed(queue);
        }
    }

    /** Ranks some items. */
    public void step(Queue queue, int most, Ends ends) {
        for (int i = 0; i < most && queue.isRanking(); i++) {
            long number = queue.nextToRank();
            ItemRecord item = number < 0 ? null : lane.item(number);
            if (item != null && item.state == ItemRecord.State.WAITING && !Lane.isPurged(queue, item)) {
                ends.rerank(queue, item);
            }
        }
        goOn(queue);
    }
}
