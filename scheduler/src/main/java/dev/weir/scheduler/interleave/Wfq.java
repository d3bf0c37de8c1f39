package dev.weir.scheduler.interleave;

/**
 * Weighted fair queueing (seed 002, 2.4.3), self-clocked (Golestani 1994): each job of a member finishes, in virtual time,
 * 1/weight after its previous one or after now, and the earliest finish goes first. For comparison: nearest to GPS, O(log n) a job.
 */
public final class Wfq implements Interleave {

    private final MemberHeap heap = new MemberHeap();
    private double virtualTime;

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
        // A new weight counts from the next job on.
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
