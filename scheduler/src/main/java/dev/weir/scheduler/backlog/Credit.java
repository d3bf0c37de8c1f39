package dev.weir.scheduler.backlog;

import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.limit.GroupSet;

/**
 * The groups in which a bucket has had its turn in vain since it started something: it was woken there, but another of its groups was
 * full, so others took the place. When it waits there again it goes first, once. So what is in several groups takes one turn in
 * each for each start, as all do that are in one.
 */
final class Credit {

    /** By place in the set of groups; those that are in more have none in the rest. */
    private long vain;
    /** Since when the bucket waits. */
    private final long since;

    /** See {@link Group.Waiter#ticket}. */
    private final long ticket;

    Credit(long since, long ticket) {
        this.since = since;
        this.ticket = ticket;
    }

    long ticket() {
        return ticket;
    }

    long since() {
        return since;
    }

    void earn(GroupSet groups, Group group) {
        vain |= bit(groups, group);
    }

    boolean has(GroupSet groups, Group group) {
        return (vain & bit(groups, group)) != 0;
    }

    void use(GroupSet groups, Group group) {
        vain &= ~bit(groups, group);
    }

    private static long bit(GroupSet groups, Group group) {
        for (int i = 0; i < Math.min(Long.SIZE, groups.size()); i++) {
            if (groups.group(i) == group) {
                return 1L << i;
            }
        }
        return 0;
    }
}
