package dev.weir.scheduler.policy;

import dev.weir.scheduler.interleave.Interleave;
import dev.weir.scheduler.interleave.Member;

/** A policy at which every event fails that gives a task something to start: it ends no recursion. */
public final class Overflowing implements Interleave {

    @Override
    public String name() {
        return "overflowing";
    }

    @Override
    public void add(Member member) {
        changed(member);
    }

    @Override
    public void remove(Member member) {}

    @Override
    public void changed(Member member) {
        add(member);
    }

    @Override
    public Member next() {
        return null;
    }
}
