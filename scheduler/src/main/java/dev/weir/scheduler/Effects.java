package dev.weir.scheduler;

import dev.weir.protocol.Beat;
import dev.weir.protocol.Job;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;

/**
 * What a {@link Scheduler} wants done in the world. The scheduler calls these at the end of {@code apply}, in the order in which
 * it decided them, and only when the whole event succeeded.
 *
 * <p>Irreversible effects must not leave before the checkpoint that holds the decision is complete, and in order: every
 * {@link #register}, and every {@link #event} whose state {@linkplain dev.weir.protocol.TaskState#isTerminal() is terminal} (it
 * must follow the registrations of its task). All others may leave at once; after a restore they may be sent again, or differ.
 */
public interface Effects {

    /** To the queue of the pool. Reversible: a repeated job is recognised by (uid, attempt). */
    void job(String pool, Job job);

    /** To one pilot; a pilot that is not there any more is no error. Reversible. */
    void notice(String pilotId, Notice notice);

    /** To DSM. Irreversible. */
    void register(Registration registration);

    /** To WFMS and anyone. Irreversible when the state is terminal. */
    void event(TaskEvent event);

    /** To the queue of page requests, to be answered by {@link Event.PageArrived} or {@link Event.PageFailed}. Reversible. */
    void page(PageRequest request);

    /**
     * The event that is being applied could not be taken; the shell attaches its raw message.
     *
     * @param reason what is wrong, in a sentence
     * @param field the field at fault; null when the message as a whole is
     */
    void rejected(String reason, String field);

    /**
     * A message that came with an earlier event and waited in vain could not be taken. Its bytes are gone; what it said is not.
     *
     * @param message a {@link dev.weir.protocol.Command} or a {@link dev.weir.protocol.Report}
     * @param reason what is wrong, in a sentence
     * @param field the field at fault; null when the message as a whole is
     */
    default void rejectedAfterWaiting(Object message, String reason, String field) {
        rejected(reason, field);
    }

    /** To the mirror, for readers. Reversible: a row with a larger version replaces it. */
    void row(Row row);

    /** To the queue of reports, so that it comes back as {@link Event.ReportArrived}. Reversible. */
    void beat(Beat beat);
}
