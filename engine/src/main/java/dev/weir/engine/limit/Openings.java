package dev.weir.engine.limit;

import java.util.PriorityQueue;

/** Groups that must be looked at when a time has come, the earliest first. A group has one time: an earlier one replaces it. */
final class Openings {

    private record Opening(long at, Group group) {}

    private final PriorityQueue<Opening> openings = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));

    /** The group is to be looked at then, or before. */
    void look(Group group, long at) {
        if (at < group.timerAt) {
            group.timerAt = at;
            openings.add(new Opening(at, group));
        }
    }

    boolean isDue(long nowMillis) {
        return !openings.isEmpty() && openings.peek().at <= nowMillis;
    }

    /** Removes the first entry and returns its group; null when the group has been looked at since. */
    Group poll() {
        Opening opening = openings.poll();
        if (opening.group.timerAt != opening.at) {
            return null;
        }
        opening.group.timerAt = Long.MAX_VALUE;
        return opening.group;
    }

    /** The first time; {@link Long#MAX_VALUE} for none. */
    long nextAt() {
        return openings.isEmpty() ? Long.MAX_VALUE : openings.peek().at;
    }
}
