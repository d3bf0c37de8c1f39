package dev.weir.simulator;

import java.util.List;

/** Those {@link Mutants} that are about limit groups. */
final class LimitMutants {

    private LimitMutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "a group takes one job more than it may",
                        "limit/Group.java",
                        "limit.maxInFlight() - inFlight",
                        "limit.maxInFlight() - inFlight + 1"),
                new Mutant(
                        "the sliding window is half as long",
                        "limit/StartWindow.java",
                        "<= nowMillis - windowMillis) {",
                        "<= nowMillis - windowMillis / 2) {"),
                new Mutant(
                        "groups whose files have started take room for ever",
                        "limit/Groups.java",
                        "        buckets--;\n",
                        ""),
                new Mutant(
                        "each of several lanes takes a whole limit",
                        "limit/Groups.java",
                        "new Group(this, key, keys.limit(key).ofLane(lane, lanes), null)",
                        "new Group(this, key, keys.limit(key), null)"),
                new Mutant(
                        "all regular expressions share their groups",
                        "limit/GroupKeys.java",
                        "case REGEX -> ++expressions == 1 ? \"re:\" : \"re\" + expressions + \":\";",
                        "case REGEX -> \"re:\";"),
                new Mutant(
                        "a regular expression always means its whole match",
                        "limit/GroupKeys.java",
                        "matcher.groupCount() > 0 && matcher.group(1) != null",
                        "matcher.groupCount() < 0"),
                new Mutant(
                        "a rule without limits of single groups limits nothing",
                        "limit/GroupKeys.java",
                        "if (limit != null && key",
                        "if (limit == null && key"),
                new Mutant(
                        "a file is in the first of its groups only",
                        "limit/GroupKeys.java",
                        "if (!keys.contains(key)) {",
                        "if (keys.isEmpty()) {"),
                new Mutant(
                        "a window that changes forgets what started in it",
                        "limit/Group.java",
                        "        commanded = whole;",
                        "        starts = null;\n        commanded = whole;"),
                new Mutant(
                        "a reservation lasts until it is used",
                        "limit/Reservation.java",
                        "        until = end(waitsSince, nowMillis);",
                        "        until = Long.MAX_VALUE;"),
                new Mutant(
                        "a place stays reserved for a pool that has started in the group",
                        "limit/GroupQueue.java",
                        "            if (reservation.holder() == queue) {\n                reservation.end(nowMillis);\n            }\n",
                        ""),
                new Mutant(
                        "a grant that was not used goes to no other task",
                        "limit/GroupQueue.java",
                        "        queue.grantEnded(waiter);\n        settle(nowMillis);",
                        "        queue.grantEnded(waiter);"),
                new Mutant(
                        "places of a group that a job gives back are granted to none",
                        "limit/Groups.java",
                        "            group.ended();\n            group.settle(nowMillis);",
                        "            group.ended();"),
                new Mutant(
                        "a window of starts that opens wakes none that wait",
                        "limit/Groups.java",
                        "        if ((group.limitsStarts() || group.isHeld()) && group.hasWaiting()) {",
                        "        if (group.limitsStarts() && !group.hasWaiting()) {"));
    }
}
