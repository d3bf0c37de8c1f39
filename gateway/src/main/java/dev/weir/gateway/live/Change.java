package dev.weir.gateway.live;

import java.util.Set;
import java.util.TreeSet;

/**
 * What has changed since the last look.
 *
 * @param tasks uids of changed tasks
 * @param moreTasks whether others changed, too
 * @param pools whose tasks or pilots changed
 * @param pilots whether pilots changed
 * @param trouble why nothing can be seen; null when it can
 */
public record Change(Set<String> tasks, boolean moreTasks, Set<String> pools, boolean pilots, String trouble) {

    private static final int MOST_TASKS = 100;

    public Change {
        boolean tooMany = tasks.size() > MOST_TASKS;
        moreTasks |= tooMany;
        tasks = tooMany ? Set.of() : Set.copyOf(tasks);
        pools = Set.copyOf(pools);
    }

    static Change trouble(String why) {
        return new Change(Set.of(), false, Set.of(), false, why);
    }

    boolean isEmpty() {
        return tasks.isEmpty() && !moreTasks && pools.isEmpty() && !pilots && trouble == null;
    }

    /** This, and what came after it. */
    Change and(Change later) {
        return new Change(
                both(tasks, later.tasks),
                moreTasks || later.moreTasks,
                both(pools, later.pools),
                pilots || later.pilots,
                later.trouble);
    }

    private static Set<String> both(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }
}
