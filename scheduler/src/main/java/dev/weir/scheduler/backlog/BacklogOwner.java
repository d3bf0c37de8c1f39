package dev.weir.scheduler.backlog;

/** The task whose files a {@link Backlog} holds. */
public interface BacklogOwner {
    String pool();

    /** See {@link dev.weir.engine.limit.FileBucket#takesTurns()}. */
    boolean takesTurns();

    /** See {@link dev.weir.engine.limit.FileBucket#goesBefore}. */
    default boolean goesBefore(BacklogOwner other) {
        return false;
    }

    /** Whether it may start any job: it is not paused or stopped. */
    boolean goesOn();

    /** Whether it may start files for the first time, and not only further attempts. */
    default boolean startsFresh() {
        return true;
    }

    /** Whether it may start further attempts: its pool is not paused. */
    default boolean triesAgain() {
        return true;
    }

    /** The present priority of a waiting file; for priority order. */
    default int priorityNow(long position, int priority) {
        return priority;
    }

    /** Whether one more file may move to its present priority in this event; if so, that counts. Without, it goes by its old one. */
    default boolean mayCorrectMore() {
        return true;
    }

    /** Whether the task can start a job has changed. */
    void readinessChanged();
}
