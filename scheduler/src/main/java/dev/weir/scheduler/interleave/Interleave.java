package dev.weir.scheduler.interleave;

import dev.weir.scheduler.options.PoolOptions;

/**
 * Decides which task gives the next job of a pool. Members that have nothing to give are not in it.
 *
 * <p>Not safe for use by several threads. A member belongs to one policy at a time.
 */
public interface Interleave {

    /** The member has something to give from now on. Nothing happens when it is in already. */
    void add(Member member);

    /** The member has nothing to give any more. Nothing happens when it is not in. */
    void remove(Member member);

    /** The weight or rank of a member has changed. */
    void changed(Member member);

    /**
     * Whose turn it is, or null when nobody has anything. The member gives one job then; if it turns out that it can't, the caller
     * removes it and asks again.
     */
    Member next();

    /** By the names of {@link PoolOptions}. Throws {@link IllegalArgumentException} for another name. */
    static Interleave named(String policy) {
        return switch (policy) {
            case PoolOptions.IWRR -> new Iwrr();
            case PoolOptions.STRICT -> new Strict();
            case PoolOptions.WRR -> new Wrr();
            case PoolOptions.WFQ -> new Wfq();
            default ->
                throw new IllegalArgumentException("no policy '" + policy + "'; there are iwrr, strict, wrr, wfq");
        };
    }
}
