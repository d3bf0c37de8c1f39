package dev.weir.gateway.access;

import dev.weir.protocol.Check;
import dev.weir.protocol.NamePattern;
import dev.weir.protocol.queue.QueueLimits;
import java.util.List;

/**
 * What a token may change: names, or beginnings of names that end with a star. Null stands for all, an empty list for none.
 *
 * @param tasks uids of tasks
 * @param pools pools that it may steer, send tasks to, and take jobs from
 * @param pilots ids of pilots
 * @param groups limit groups
 * @param queues queues that it may steer, fill, and take items from
 * @param kinds kinds of items that it may push and take
 * @param bestPriority the best priority that it may push with, 1 is best; null for the default of its role
 */
public record Scope(
        List<String> tasks,
        List<String> pools,
        List<String> pilots,
        List<String> groups,
        List<String> queues,
        List<String> kinds,
        Integer bestPriority) {

    public static final Scope ALL = new Scope(null, null, null, null);

    public Scope {
        tasks = tasks == null ? null : List.copyOf(tasks);
        pools = pools == null ? null : List.copyOf(pools);
        pilots = pilots == null ? null : List.copyOf(pilots);
        groups = groups == null ? null : List.copyOf(groups);
        queues = queues == null ? null : List.copyOf(queues);
        kinds = kinds == null ? null : List.copyOf(kinds);
        if (bestPriority != null) {
            Check.within("best_priority", bestPriority, 1, QueueLimits.WORST_PRIORITY);
        }
    }

    /** One that does not limit what is done with queues. */
    public Scope(List<String> tasks, List<String> pools, List<String> pilots, List<String> groups) {
        this(tasks, pools, pilots, groups, null, null, null);
    }

    /** A kind of thing that a scope may limit. */
    public enum Kind {
        TASK,
        POOL,
        PILOT,
        GROUP,
        QUEUE,
        /** Of items. */
        KIND
    }

    public boolean contains(Kind kind, String name) {
        List<String> patterns = switch (kind) {
            case TASK -> tasks;
            case POOL -> pools;
            case PILOT -> pilots;
            case GROUP -> groups;
            case QUEUE -> queues;
            case KIND -> kinds;
        };
        return patterns == null || patterns.stream().anyMatch(pattern -> NamePattern.matches(pattern, name));
    }
}
