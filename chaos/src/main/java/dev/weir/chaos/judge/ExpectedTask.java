package dev.weir.chaos.judge;

import java.util.Set;

/**
 * What must come of a task.
 *
 * @param uid of the task; its output dataset is {@code UID.out}
 * @param good names of files that must have one output
 * @param bad names of files that must fail
 * @param livingPilots whether all pilots that may run its jobs live all the time: none of its attempts may end as lost
 */
public record ExpectedTask(String uid, Set<String> good, Set<String> bad, boolean livingPilots) {

    public ExpectedTask {
        good = Set.copyOf(good);
        bad = Set.copyOf(bad);
    }

    int files() {
        return good.size() + bad.size();
    }
}
