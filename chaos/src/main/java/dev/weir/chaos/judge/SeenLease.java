package dev.weir.chaos.judge;

/**
 * A lease that a worker had of an item. Times are nanoseconds of one clock.
 *
 * @param at when the worker had it
 * @param endAt when the worker first sent what became of the item
 * @param repliedAt when Weir had answered to that
 * @param finished whether that was success
 * @param reply what Weir said to that
 */
public record SeenLease(long at, long endAt, long repliedAt, boolean finished, Reply reply) {

    /** What Weir says to the end of a lease. */
    public enum Reply {
        /** It counts. */
        TAKEN,
        /** The lease was over before. */
        OVER,
        /** The first answer did not come, and a later one said that the lease was over: it may have been taken. */
        UNSURE
    }

    boolean mayHaveFinished() {
        return finished && reply != Reply.OVER;
    }
}
