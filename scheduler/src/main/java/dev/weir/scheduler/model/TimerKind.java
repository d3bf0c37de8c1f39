package dev.weir.scheduler.model;

/** What a timer of the scheduler is for; in parentheses its subject. */
public enum TimerKind {
    /** The next beat is due. */
    BEAT,
    /** A queued job's message may be lost, a failed job has cooled off, or an attempt has taken too long ({@link LiveJob}). */
    JOB,
    /** The pilot of a job was not heard for the length of a lease ({@link LiveJob}). */
    JOB_LEASE,
    /** A pilot was not heard for the length of a lease ({@link KnownPilot}). */
    PILOT_LEASE,
    /** A page of a dataset has not come, or may be asked for again ({@link OpenTask}). */
    PAGE,
    /** The next part of a check-list leaves ({@link OpenTask}). */
    CLOSING,
    /** A task's row is to be shown again ({@link OpenTask}). */
    TASK_ROW,
    /** Limited groups have changed since they were shown. */
    GROUP_ROWS,
    /** A pool may be filled further than the event before was allowed to ({@link Pool}). */
    FILL,
    /** More tasks have to learn that their pool has changed than one event may tell ({@link Pool}). */
    POOL_CHANGED,
    /** Leases have run out, more than one event may expire. */
    LEASES,
    /** Failed jobs of a task are still to be tried again by command ({@link OpenTask}). */
    RETRYING,
    /** Jobs of a task that ends early are still to be stopped ({@link OpenTask}). */
    STOPPING,
    /** A message of a job that is over no longer counts in the window ({@link Pool}). */
    STALE_MESSAGE,
    /** A node is no longer set aside ({@link WorkerNode}). */
    NODE_BACK,
    /** More pilots are to be notified, or jobs of excluded ones to be stopped, than one event may. */
    PILOTS,
    /** Old failures of nodes are forgotten. */
    FORGET_NODES,
    /** A command has waited for its task, or for reports, as long as it may ({@link dev.weir.protocol.Command}). */
    EARLY_COMMAND
}
