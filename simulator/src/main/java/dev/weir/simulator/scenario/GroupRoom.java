package dev.weir.simulator.scenario;

import dev.weir.scheduler.options.SchedulerOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Options with so few groups and sets of groups that the files of some tasks have to wait until others are done. */
final class GroupRoom {

    private GroupRoom() {}

    static boolean isDrawn(long seed) {
        return !Calm.isDrawn(seed) && Rand.of(seed, "room").chance(0.1);
    }

    /**
     * There is room for every group, because those that a command has limited are not forgotten, and for the files of any one task: else
     * that one would have to fail. No task brings its files here: it would be refused when there is no room.
     */
    static SchedulerOptions options(SchedulerOptions drawn, List<TaskPlan> tasks) {
        Set<String> groups = new HashSet<>(TaskDraw.GROUPS);
        groups.addAll(SendingDraw.OF_RULES);
        groups.addAll(drawn.limits().groups().keySet());
        int mostSets = 1;
        for (TaskPlan plan : tasks) {
            Set<List<String>> sets = new HashSet<>(plan.dataset().groups());
            sets.forEach(groups::addAll);
            mostSets = Math.max(mostSets, sets.size());
        }
        int most = groups.size()
                + mostSets
                + Rand.of(drawn.seed(), "room for groups").between(0, mostSets);
        return drawn.withLimits(drawn.limits().withMaxGroups(most));
    }
}
