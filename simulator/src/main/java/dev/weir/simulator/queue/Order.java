package dev.weir.simulator.queue;

import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.simulator.invariant.Violation;

/** Which item a pop may be given. Exact where limits leave one choice: where a group is wanted by several, its rules say who goes next. */
final class Order {

    private final NaiveQueues all;

    Order(NaiveQueues all) {
        this.all = all;
    }

    /** Checks that a pop may be given an item now. */
    void check(Pop pop, NaiveQueue queue, NaiveItem item, int mostLeased) {
        Violation.check(item != null && item.is(State.WAITING), "a pop gives an item that waits", pop, item);
        Violation.check(!queue.paused, "a paused queue gives nothing", pop, item);
        Violation.check(isAsked(pop, item), "a pop gives items of its kinds", pop, item);
        Violation.check(all.leased() < mostLeased, "workers have no more items than they may", pop, item);
        Violation.check(
                item.wanted.expiresAt() == 0 || item.wanted.expiresAt() > all.now(), "nothing expired is given", item);
        for (String group : item.groups()) {
            Violation.check(
                    !all.groups.isFull(group, all.leasedIn(group), all.now()),
                    "no group is over its limits",
                    group,
                    item,
                    all.leasedIn(group));
        }
        queue.in(State.WAITING).filter(other -> isAsked(pop, other)).forEach(other -> {
            boolean first = other.isOfSameShare(item) && other.isBetterThan(item)
                    || other.priority() == 1 && item.priority() > 1
                    || other.isBetterThan(item) && isTheOnlyOwner(queue, other);
            Violation.check(
                    !first || !surelyMayStart(queue, other),
                    "no better item waits when a worse one is given",
                    item,
                    "was given while this waits:",
                    other);
        });
    }

    private static boolean isTheOnlyOwner(NaiveQueue queue, NaiveItem item) {
        return queue.in(State.WAITING)
                .allMatch(other ->
                        !other.kind().equals(item.kind()) || other.owner().equals(item.owner()));
    }

    /** An item that a pop should have been given; null for none. */
    NaiveItem forgotten(Pop pop, NaiveQueue queue) {
        return queue.in(State.WAITING)
                .filter(item -> isAsked(pop, item) && surelyMayStart(queue, item))
                .findFirst()
                .orElse(null);
    }

    private static boolean isAsked(Pop pop, NaiveItem item) {
        return pop.kinds().isEmpty() || pop.kinds().contains(item.kind());
    }

    private boolean surelyMayStart(NaiveQueue queue, NaiveItem item) {
        boolean isExpired = item.wanted.hasExpired(all.now());
        return !queue.paused
                && !isExpired
                && item.groups().stream()
                        .allMatch(group -> all.groups.hasRoom(group, all.leasedIn(group), all.now())
                                && (!all.groups.isLimited(group, all.now()) || !isWantedByOthers(queue, item, group)));
    }

    /** By other owners, kinds or queues; or by items in further limited groups, for which a place may be kept. */
    private boolean isWantedByOthers(NaiveQueue queue, NaiveItem item, String group) {
        boolean isAlone = isInNoOther(item, group);
        return all.queues.values().stream()
                .anyMatch(other -> other.in(State.WAITING)
                        .anyMatch(rival -> rival != item
                                && rival.groups().contains(group)
                                && (other != queue
                                        || !rival.isOfSameShare(item)
                                        || !rival.groups().equals(item.groups())
                                                && !(isAlone && isInNoOther(rival, group)))));
    }

    private boolean isInNoOther(NaiveItem item, String group) {
        return item.groups().stream()
                .noneMatch(other -> !other.equals(group) && all.groups.isLimited(other, all.now()));
    }
}
