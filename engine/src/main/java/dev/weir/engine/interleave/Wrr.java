package dev.weir.engine.interleave;

import java.util.ArrayDeque;

/**
 * Weighted round-robin (SPD On-Line Filter, 2.4.4): each member gives as many jobs in a row as its weight. For comparison: with large
 * weights it serves one task after the other. O(1) a job.
 */
public final class Wrr implements Interleave {

    /** Between choices it keeps at most this many members and twice the ready ones. */
    private static final int KEPT = 16;

    private final ArrayDeque<Member> circle = new ArrayDeque<>();
    private int ready;

    @Override
    public String name() {
        return "wrr";
    }

    @Override
    public void add(Member member) {
        if (!member.ready) {
            member.ready = true;
            ready++;
            if (!member.inRing) {
                member.inRing = true;
                member.given = 0;
                circle.addLast(member);
            }
            if (circle.size() > KEPT + 2 * ready) {
                circle.removeIf(Wrr::isGone);
            }
        }
    }

    private static boolean isGone(Member member) {
        member.inRing = member.ready;
        return !member.ready;
    }

    @Override
    public void remove(Member member) {
        if (member.ready) {
            member.ready = false;
            ready--;
        }
    }

    /** Number of entries that it keeps in memory. */
    int size() {
        return circle.size();
    }

    @Override
    public void changed(Member member) {
        // The weight is read when the turn comes.
    }

    @Override
    public Member next() {
        while (!circle.isEmpty()) {
            Member member = circle.peekFirst();
            if (!member.ready) {
                circle.pollFirst();
                member.inRing = false;
            } else if (member.given >= member.weight) {
                member.given = 0;
                circle.addLast(circle.pollFirst());
            } else {
                member.given++;
                return member;
            }
        }
        return null;
    }
}
