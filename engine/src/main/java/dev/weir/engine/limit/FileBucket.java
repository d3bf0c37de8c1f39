package dev.weir.engine.limit;

/** The waiting files of one task that are in the same groups, as the queues of these groups see them. */
public interface FileBucket {

    /** The name of the task's pool. */
    String pool();

    /** The task; equal for all files of one task. */
    Object task();

    /** How many of them wait. */
    long files();

    /** The groups that all of them are in. */
    GroupSet groups();

    /** False where the pool's policy alone decides the order of waiters: {@code strict}. */
    boolean takesTurns();

    /**
     * Whether these files go before others. Asked for files of a pool where {@link #takesTurns} is false, and for files of one task where
     * {@link #isRanked} is true.
     */
    boolean goesBefore(FileBucket other);

    /**
     * Whether the files of the task have an order of their own: of its waiters in a queue the first in that order is served, and a granted
     * place is for any files of the task that {@linkplain #goesBefore go before} those that it was granted to.
     */
    default boolean isRanked() {
        return false;
    }

    /** Whether the task may start these files now. It may not while it is paused, stopped or without a slot, for example. */
    boolean mayStart();

    /** The group granted a place: these files no longer wait in its queue. */
    void granted();
}
