package dev.weir.engine.interleave;

/**
 * Weighted fair queueing (SPD On-Line Filter, 2.4.3), self-clocked (Golestani 1994): each turn of a member finishes, in virtual time,
 * 1/weight after its previous one or after now, whichever is later, and the earliest finish goes first. For comparison: O(log n) a turn.
 *
 * <p>An approximation of GPS: virtual time is the time of the last turn, because no GPS runs beside it. So a new member may be behind by
 * one turn of each other member. All turns count as equally long, whatever the duration of the jobs, and an unused turn (the groups of
 * the member are full) counts too.
 */
public final class Wfq implements Interleave {

    private final MemberHeap heap = new MemberHeap();
    private double virtualTime;

    @Override
    public String name() {
        return "wfq";
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
        // The cost of the next turn is fixed; a new weight counts from the turn after it.
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
