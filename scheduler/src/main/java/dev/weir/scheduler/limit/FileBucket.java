package dev.weir.scheduler.limit;

/** Files of one task that are in the same groups, as the queues of these see them. */
public interface FileBucket {

    /** The name of the task's pool. */
    String pool();

    /** The task; equal for all files of one task. */
    Object task();

    /** The groups that all of them are in. */
    GroupSet groups();

    /** False where the pool's policy alone decides who goes first: {@code strict}. */
    boolean takesTurns();

    /** Whether the pool's policy lets them go before other files of the pool; where no turns are taken. */
    boolean goesBefore(FileBucket other);

    /** Whether the task may start them now: not while it is paused, stopped or without a slot, for instance. */
    boolean mayStart();

    /** They wait no more, as their group has a place for them. */
    void granted();
}
