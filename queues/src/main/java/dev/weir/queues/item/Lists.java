package dev.weir.queues.item;

import dev.weir.engine.limit.Group;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.protocol.queue.GroupView;
import dev.weir.protocol.queue.OwnerView;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueLimits;
import dev.weir.queues.api.GroupNumbers;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Owner;
import dev.weir.queues.model.Queue;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Owners and limit groups for readers: those that matter most, for there may be a hundred thousand. */
public final class Lists {

    private static final Comparator<Owner> MOST_ITEMS =
            Comparator.comparingLong(Owner::items).reversed().thenComparing(Owner::name);
    private static final Comparator<Group> HELD_OR_WANTED = Comparator.comparing(
                    (Group group) -> group.heldUntil() == 0)
            .thenComparing(Comparator.comparingInt(Group::waiters)
                    .thenComparingInt(Group::inFlight)
                    .reversed())
            .thenComparing(Group::key);

    private final Lane lane;

    public Lists(Lane lane) {
        this.lane = lane;
    }

    public QueueAnswer owners(long n, Queue queue) {
        List<OwnerView> views = first(queue.owners(), MOST_ITEMS).stream()
                .map(owner ->
                        new OwnerView(owner.name(), owner.weight(), owner.maxItems(), owner.items(), owner.facts()))
                .toList();
        return QueueAnswer.owners(n, views, queue.owners().size());
    }

    public QueueAnswer groups(long n) {
        List<Group> limited =
                lane.groups.all().stream().filter(Group::isLimited).toList();
        List<GroupView> views =
                first(limited, HELD_OR_WANTED).stream().map(this::view).toList();
        return QueueAnswer.groups(n, views, limited.size());
    }

    public GroupNumbers numbers() {
        lane.held.removeIf(group -> group.heldUntil() <= lane.now());
        return new GroupNumbers(lane.groups.size(), lane.groups.sets(), lane.held.size(), lane.placesTaken);
    }

    private GroupView view(Group group) {
        GroupLimit limit = group.whole();
        boolean limitsStarts = limit.maxStarts() != GroupLimit.UNLIMITED;
        return new GroupView(
                group.key(),
                limit.maxInFlight() == GroupLimit.UNLIMITED ? null : limit.maxInFlight(),
                limitsStarts ? limit.maxStarts() : null,
                limitsStarts ? (int) limit.window().toSeconds() : null,
                group.inFlight(),
                group.starts(lane.now()),
                group.waitingFiles(),
                group.heldUntil() > lane.now() ? Instant.ofEpochMilli(group.heldUntil()) : null);
    }

    /** So many as an answer may have, in order. */
    private static <T> List<T> first(Collection<T> all, Comparator<T> order) {
        PriorityQueue<T> best = new PriorityQueue<>(order.reversed());
        for (T one : all) {
            if (best.size() < QueueLimits.MAX_ITEMS || order.compare(one, best.peek()) < 0) {
                best.add(one);
            }
            if (best.size() > QueueLimits.MAX_ITEMS) {
                best.poll();
            }
        }
        return best.stream().sorted(order).toList();
    }
}
