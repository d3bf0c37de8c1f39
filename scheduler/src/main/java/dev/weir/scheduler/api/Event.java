package dev.weir.scheduler.api;

import dev.weir.protocol.Command;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.Report;
import dev.weir.protocol.Task;

/** All that can happen to a {@link dev.weir.scheduler.Scheduler}. Any event may come twice, late, or in another order than it was sent. */
public sealed interface Event {

    /** WFMS sent a task. */
    record TaskArrived(Task task) implements Event {}

    /** An operator or WFMS sent a command. Commands about a pool, a pilot or a group go to every lane. */
    record CommandArrived(Command command) implements Event {}

    /** A pilot, or Weir's own beat, was heard. Heartbeats of pilots without a job go to every lane. */
    record ReportArrived(Report report) implements Event {}

    /**
     * DSM answered a page request. Answers match their request by task and offset; others are counted and dropped. A page may
     * have fewer files than the limit, or more (a DSM that ignores offset and limit).
     *
     * @param offset as it was asked for
     * @param limit as it was asked for
     */
    record PageArrived(String taskUid, String datasetUid, long offset, int limit, DatasetPage page) implements Event {}

    /**
     * DSM did not answer a page request, although the shell tried for a while.
     *
     * @param permanent true when asking again cannot help (404, garbage): the task is rejected or fails. False (5xx, time-out):
     *     asked again with growing pauses, and shown as the reason why the task waits
     * @param reason what happened, in a sentence for people
     */
    record PageFailed(String taskUid, String datasetUid, long offset, int limit, boolean permanent, String reason)
            implements Event {}

    /** The deadline of {@link dev.weir.scheduler.Scheduler#nextDeadlineMillis()} has come. A tick too early or too many does no harm. */
    record Tick() implements Event {}
}
