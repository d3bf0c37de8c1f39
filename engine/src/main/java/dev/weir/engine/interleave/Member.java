package dev.weir.engine.interleave;

/** A task as a policy sees it. The data of the policy about the task is here, so that a choice allocates nothing. */
public class Member {

    /** Order of arrival, which decides among equals; unique in the pool. */
    protected long arrival;
    /** 1 to 100. */
    protected int weight = 1;

    protected double rank;

    /** Whether it has a job to give now; set by the policy. */
    boolean ready;

    /** Marks of policies: it is in the base, among newcomers, in the ring, among joiners. */
    boolean inBase;

    boolean newcomer;
    boolean inRing;
    boolean joining;
    /** Number of the round from which it may give. */
    long eligibleRound;

    /** Number of the round in which its weight fell below that of the next round; -1 for none. */
    long loweredRound = -1;

    /** Heap policies: index in the heap, or -1; and the key. */
    int slot = -1;

    double key;
    double lastFinish;
    int given;

    public final long arrival() {
        return arrival;
    }

    public final int weight() {
        return weight;
    }

    public final double rank() {
        return rank;
    }

    /** A policy calls this when it adds and removes the member. */
    public final void markReady(boolean value) {
        ready = value;
    }

    /** Whether it is in its policy, so it has a job to give. */
    public final boolean isReady() {
        return ready;
    }

    /** Call {@link Interleave#changed} afterwards when the member is in a policy. */
    public final void weigh(double newRank, int newWeight) {
        rank = newRank;
        weight = newWeight;
    }
}
