package dev.weir.engine.interleave;

/**
 * The highest rank first, first come first served among equals (as the queues of Nacelnik.Mk1). A task waits while a task of higher rank
 * has a job to give. O(log n) when a member comes or goes, O(1) a job.
 */
public final class Strict implements Interleave {

    private final MemberHeap heap = new MemberHeap();

    @Override
    public String name() {
        return "strict";
    }

    @Override
    public void add(Member member) {
        if (!member.ready) {
            member.ready = true;
            member.key = -member.rank;
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
        if (member.ready) {
            member.key = -member.rank;
            heap.put(member);
        }
    }

    @Override
    public Member next() {
        return heap.first();
    }
}
