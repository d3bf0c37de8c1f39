package dev.weir.scheduler.limit;

import dev.weir.scheduler.limit.Group.Waiter;

/**
 * Who of a pool waits for a group, by owner. Where turns are taken, one of the owner is woken that was woken longest ago, so that each
 * gets as many places whatever it has waiting; before them those who were woken before and could not start. Where the policy decides who goes first, that owner is looked for among all that wait
 * here: two numbers to compare of each, and there are hardly more than tasks that hold slots.
 */
final class Line implements Claimant {

    private final Group group;
    private final Groups registry;
    private final String pool;
    private final boolean takesTurns;
    /** The party that was looked for last; the only one while there is no table. */
    private Party recent;

    private KeyTable<Object, Party> table;
    /** Those who go first, in the order in which they came, where turns are taken; null before there was one. */
    private Party ahead;
    /** Those with somebody to wake. */
    private final Parties parties = new Parties();
    /** Of these, those that have let a turn lapse and not made up for it; null before there was one. */
    private Parties lapsed;
    /** How many were woken and have neither started nor parked again: places that are theirs, where turns are taken. */
    private int turns;
    /** Since when another pool takes what somebody was woken for here; negative: none has since it took a place itself. */
    private long passedOverSince = -1;

    private long ticket;

    Line(Group group, Groups registry, String pool, boolean takesTurns) {
        this.group = group;
        this.registry = registry;
        this.pool = pool;
        this.takesTurns = takesTurns;
    }

    String pool() {
        return pool;
    }

    boolean takesTurns() {
        return takesTurns;
    }

    int turns() {
        return turns;
    }

    void turnUsed() {
        turns--;
    }

    /** Another pool has taken a place while somebody was woken here. */
    void passedOver(long nowMillis) {
        passedOverSince = nowMillis;
        ticket = registry.ticket();
    }

    boolean isPassedOver() {
        return passedOverSince >= 0;
    }

    long passedOverSince() {
        return passedOverSince;
    }

    void served() {
        passedOverSince = -1;
    }

    @Override
    public long ticket() {
        return ticket;
    }

    @Override
    public boolean isPool() {
        return true;
    }

    /** If a place was kept for it in vain, it comes after those who have not had one. */
    @Override
    public void giveBack(long nowMillis) {
        KeptPlace kept = group.kept();
        kept.candidates().remove(this);
        if (kept.isFor(this)) {
            kept.end(nowMillis);
            ticket = registry.ticket();
        }
    }

    boolean hasWaiting() {
        return parties.first() != null
                || lapsed != null && lapsed.first() != null
                || ahead != null && ahead.hasWaiting();
    }

    /** How many it keeps in memory. */
    int size() {
        return size(parties) + (lapsed == null ? 0 : size(lapsed)) + (ahead == null ? 0 : ahead.size());
    }

    private static int size(Parties parties) {
        int size = 0;
        for (Party party = parties.first(); party != null; party = party.after) {
            size += party.size();
        }
        return size;
    }

    void park(Waiter waiter, boolean first) {
        if (first && takesTurns) {
            ahead = ahead == null ? new Party(this) : ahead;
            ahead.park(waiter, false);
            return;
        }
        Party party = party(waiter.owner());
        party.park(waiter, first);
        if (first && party.list == null && party.lapsed == 0) {
            parties.addFirst(party);
        } else {
            settle(party);
        }
    }

    /**
     * One that waits here waits no more.
     *
     * @param first as it was when it was parked
     */
    void left(Waiter waiter, boolean first) {
        if (first && takesTurns) {
            ahead.left(group);
            return;
        }
        Party party = party(waiter.owner());
        party.left(group);
        settle(party);
    }

    /**
     * One that was woken saw something else of its owner start first: the place is not kept for it any more, nor is one for its owner
     * until there is another or until it was looked at. Otherwise an owner of many that wait would be woken for one after the other
     * of them while it starts something else.
     */
    void lapse(Waiter waiter) {
        turns--;
        Party party = party(waiter.owner());
        party.lapsed++;
        settle(party);
    }

    /** One whose turn has lapsed has been looked at, or is gone. */
    void lapseEnded(Waiter waiter) {
        Party party = party(waiter.owner());
        party.lapsed--;
        settle(party);
    }

    private Party party(Object owner) {
        if (recent == null || !recent.key().equals(owner)) {
            Party known = table == null ? null : table.get(owner);
            recent = known == null ? added(owner) : known;
        }
        return recent;
    }

    private Party added(Object owner) {
        Party party = new Party(owner);
        if (table == null && recent != null) {
            table = new KeyTable<>();
            table.add(recent);
        }
        if (table != null) {
            table.add(party);
        }
        return party;
    }

    /** Puts it where it belongs after a change: at the end of those that it comes to. */
    private void settle(Party party) {
        Parties right = null;
        if (party.hasWaiting() && party.lapsed == 0) {
            right = parties;
        } else if (party.hasWaiting()) {
            lapsed = lapsed == null ? new Parties() : lapsed;
            right = lapsed;
        }
        if (party.list != right) {
            if (party.list != null) {
                party.list.remove(party);
            }
            if (right != null) {
                right.addLast(party);
            }
        }
        if (right == null && party.lapsed == 0) {
            if (table != null) {
                table.remove(party);
            }
            recent = recent == party ? null : recent;
        }
    }

    /**
     * Wakes who may start. Returns how many of them will.
     *
     * @param free how many the group lets start now
     * @param more how many that is more than before, at most; none when one only passes its turn on
     */
    int wake(int free, int more) {
        // Without turns a place is nobody's: who was woken earlier and waits for the window must not keep it from one
        // that goes before him.
        int places = takesTurns ? free - turns : Math.min(free, Math.max(1, more));
        int woken = 0;
        while (woken < places && ahead != null && ahead.wake(group)) {
            woken++;
        }
        woken += wakeOf(parties, places - woken);
        if (lapsed != null && woken < places) {
            woken += wakeOf(lapsed, Math.min(places - woken, more));
        }
        turns += woken;
        return woken;
    }

    private int wakeOf(Parties row, int places) {
        int woken = 0;
        while (woken < places && row.first() != null) {
            Party party = takesTurns ? row.first() : best();
            row.remove(party);
            if (party.wake(group)) {
                woken++;
            }
            settle(party);
        }
        return woken;
    }

    private Party best() {
        Party best = parties.first();
        for (Party party = best.after; party != null; party = party.after) {
            if (party.first(group).goesBefore(best.first(group))) {
                best = party;
            }
        }
        return best;
    }
}
