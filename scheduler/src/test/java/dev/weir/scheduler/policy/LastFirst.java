package dev.weir.scheduler.policy;

import dev.weir.engine.interleave.Interleave;
import dev.weir.engine.interleave.Member;
import java.util.Comparator;
import java.util.TreeSet;

/** A policy from another package, as a user would bring it: the task that arrived last goes first. */
public final class LastFirst implements Interleave {

    private final TreeSet<Member> members =
            new TreeSet<>(Comparator.comparingLong(Member::arrival).reversed());

    @Override
    public String name() {
        return "last-first";
    }

    @Override
    public void add(Member member) {
        member.markReady(true);
        members.add(member);
    }

    @Override
    public void remove(Member member) {
        member.markReady(false);
        members.remove(member);
    }

    @Override
    public void changed(Member member) {
        // The arrival never changes.
    }

    @Override
    public Member next() {
        return members.isEmpty() ? null : members.first();
    }
}
