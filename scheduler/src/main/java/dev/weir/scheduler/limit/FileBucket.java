package dev.weir.scheduler.limit;

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

    /** Whether the pool's policy puts these files before others of the pool. Only asked where {@link #takesTurns} is false. */
    boolean goesBefore(FileBucket other);

    /** Whether the task may start these files now. It may not while it is paused, stopped or without a slot, for example. */
    boolean mayStart();

    /** The group granted a place: these files no longer wait in its queue. */
    void granted();
}
