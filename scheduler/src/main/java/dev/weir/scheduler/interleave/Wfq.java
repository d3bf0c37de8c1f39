package dev.weir.scheduler.interleave;

import dev.weir.scheduler.options.PoolOptions;

/**
 * Weighted fair queueing (seed 002, 2.4.3), self-clocked (Golestani 1994): each turn of a member finishes, in virtual time,
 * 1/weight after its previous one or after now, whichever is later, and the earliest finish goes first. For comparison: O(log n) a turn.
 *
 * <p>An approximation of GPS: virtual time is that of the turn given last and not of a GPS that runs beside it, so one who comes may find himself behind
 * by a turn of each other member; all turns count as equally long, whatever the jobs last; and one that is not used (its groups are full) is paid
 * all the same.
 */
public final class Wfq implements Interleave {

    private final MemberHeap heap = new MemberHeap();
    private double virtualTime;

    @Override
    public String name() {
        return PoolOptions.WFQ;
    }

    @Override
    public void add(Member member) {
        if (!member.ready) {
            member.ready = true;
            member.key = Math.max(virtualTime, member.lastFinish) + 1.0 / member.weight;
            heap.put(member);
        }
    }

    @Override
    public void remove(Member member) {
        if (member.ready) {
            member.ready = false;
            heap.remove(member);
        }
    }

    @Override
    public void changed(Member member) {
        // What the next turn costs is fixed; a new weight counts from the one after it on.
    }

    @Override
    public Member next() {
        Member member = heap.first();
        if (member != null) {
            virtualTime = member.key;
            member.lastFinish = member.key;
            member.key += 1.0 / member.weight;
            heap.put(member);
        }
        return member;
    }
}
