package dev.weir.scheduler.api;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;

/**
 * An action outside the scheduler. Effects come in the order of their decisions.
 *
 * <p>Irreversible effects must not leave before the checkpoint that holds the decision is complete, and in order: every
 * {@link Register}, and every {@link Announce} whose state {@linkplain dev.weir.protocol.TaskState#isTerminal() is terminal} (it must
 * follow the registrations of its task). All others may leave at once; after a restore they may be sent again, or differ.
 */
public sealed interface Effect {

    /** To the queue of the pool. Reversible: a repeated job is recognised by uid and attempt. */
    record SendJob(String pool, Job job) implements Effect {}

    /** To one pilot; a pilot that is not there any more is no error. Reversible. */
    record SendNotice(String pilotId, Notice notice) implements Effect {}

    /** To DSM. Irreversible. */
    record Register(Registration registration) implements Effect {}

    /** To WFMS and anyone. Irreversible when the state is terminal. */
    record Announce(TaskEvent event) implements Effect {}

    /** To the sender of a command or task, and anyone. Reversible: after a restore it may be sent again, or differ. */
    record Answer(Outcome outcome) implements Effect {}

    /** To the queue of page requests, to be answered by {@link Event.PageArrived} or {@link Event.PageFailed}. Reversible. */
    record AskPage(PageRequest request) implements Effect {}

    /** To the mirror, for readers. Reversible: a row with a larger version replaces it. */
    record ShowRow(Row row) implements Effect {}

    /** To the queue of reports, so that it comes back as {@link Event.ReportArrived}. Reversible. */
    record SendBeat(Beat beat) implements Effect {}

    /**
     * A message was rejected: that of the present event, or an earlier one whose wait has ended. The bytes of the latter
     * are gone, but not its content.
     *
     * @param waited a {@link dev.weir.protocol.Command} that had waited, or the uid of a task that is set aside; null for the message of the event at hand, which the shell has
     * @param reason what is wrong, in a sentence
     * @param field the field at fault; null when the message as a whole is
     */
    record Reject(Object waited, String reason, String field) implements Effect {}
}
