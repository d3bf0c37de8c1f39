package dev.weir.scheduler.interleave;

/**
 * Decides which task gives the next job of a pool. Members that have nothing to give are not in it.
 *
 * <p>Implementations are found by name, through {@link java.util.ServiceLoader}; each pool has an object of its own, made by the
 * public constructor without parameters. What a policy knows is not saved: after a restore every member is added again. A policy reads
 * no clock and draws no random numbers: the same calls give the same answers. It is used by one thread, and a member belongs to one
 * policy at a time. Weir trusts a policy: an exception fails the event. How to bring one along: docs/OPERATIONS.md.
 */
public interface Interleave {

    /** By which pools choose it. */
    String name();

    /** The member has something to give from now on; the policy marks it as ready. Nothing happens when it is in already. */
    void add(Member member);

    /** The member has nothing to give any more; the policy marks it as not ready. Nothing happens when it is not in. */
    void remove(Member member);

    /** The weight or rank of a member has changed. */
    void changed(Member member);

    /**
     * Whose turn it is, or null when nobody has anything. The member gives one job then; if it turns out that it can't, the caller
     * removes it and asks again.
     */
    Member next();

    /** A new policy of this name. Throws {@link IllegalArgumentException} with the names that exist when there is none. */
    static Interleave named(String policy) {
        return Policies.named(policy);
    }
}
