package dev.weir.scheduler.interleave;

/** A task as a policy sees it. What a policy keeps about it lies in the member, so that a choice allocates nothing. */
public class Member {

    /** Order among equals: of arrival, unique in its pool. */
    protected long arrival;
    /** 1 to 100. */
    protected int weight = 1;

    protected double rank;

    /** Whether it has something to give now; set by the policy. */
    boolean ready;

    /** Where policies note that they hold it: in the base, among newcomers, in the ring, among joiners. */
    boolean inBase;

    boolean newcomer;
    boolean inRing;
    boolean joining;
    /** Number of the round from which it may give. */
    long eligibleRound;

    /** Number of the round in which its weight fell below what the next one asks for; -1 when it did not. */
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

    /** A policy calls this when it takes the member in, and when it lets it go. */
    public final void markReady(boolean value) {
        ready = value;
    }

    /** Whether the policy counts it among those that can give. */
    public final boolean isReady() {
        return ready;
    }

    /** Call {@link Interleave#changed} afterwards when the member is in a policy. */
    public final void weigh(double newRank, int newWeight) {
        rank = newRank;
        weight = newWeight;
    }
}
