package dev.weir.engine.interleave;

/**
 * Decides which task gives the next job of a pool. Only members with a job to give are in it.
 *
 * <p>Implementations are found by name, through {@link java.util.ServiceLoader}; each pool has an object of its own, made by the
 * public constructor without parameters. A policy is not saved: after a restore every member is added again. A policy reads
 * no clock and draws no random numbers: the same calls give the same answers. It is used by one thread, and a member belongs to one
 * policy at a time. Weir trusts a policy: an exception fails the event. How to add a policy: docs/OPERATIONS.md.
 */
public interface Interleave {

    /** The name by which pools choose it. */
    String name();

    /** Adds a member that has a job to give; the policy marks it as ready. Does nothing when the member is in already. */
    void add(Member member);

    /** Removes a member without a job to give; the policy marks it as not ready. Does nothing when the member is not in. */
    void remove(Member member);

    /** The weight or rank of a member has changed. */
    void changed(Member member);

    /**
     * The member whose turn it is; null when there is none. The member then gives one job. If it can't, the caller removes it and asks
     * again.
     */
    Member next();

    /** A new policy with this name. For an unknown name throws {@link IllegalArgumentException} with the known names. */
    static Interleave named(String policy) {
        return Policies.named(policy);
    }
}
