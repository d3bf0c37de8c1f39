package dev.weir.scheduler.policy;

import dev.weir.engine.interleave.Interleave;
import dev.weir.engine.interleave.Member;

/** A policy that cannot say whose turn it is: every event fails that gives a task something to start, and no task is to blame. */
public final class Overflowing implements Interleave {

    private boolean hasMembers;

    @Override
    public String name() {
        return "overflowing";
    }

    @Override
    public void add(Member member) {
        hasMembers = true;
    }

    @Override
    public void remove(Member member) {}

    @Override
    public void changed(Member member) {}

    @Override
    public Member next() {
        return hasMembers ? next() : null;
    }
}
