package dev.weir.simulator.truth;

import dev.weir.protocol.Result;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Event;
import java.util.HashSet;
import java.util.Set;

/** What one event may and must lead to, decided before the core sees it. */
final class Context {

    /** Whether a message may be refused. */
    enum Refusal {
        NEVER,
        MAY,
        MUST
    }

    final Event event;
    final long now;
    Refusal refusal = Refusal.NEVER;
    /** Commands that have waited for their task, in vain or until now: each may be refused. */
    int expired;
    /** The task that must be accepted unless it is refused; null for none. */
    Task accepting;

    /** The job that the event is about; null for none. */
    JobTruth job;
    /** The states that it may have afterwards, before any release. */
    int allowed;
    /** The attempt that is reported, and by whom. */
    int attempt;

    String pilot;
    String jobUid;
    /** Whether the reporter goes on and so must hear that it shall not. */
    boolean goesOn;
    /** Whether we can't tell if the report is about something that the core knows. */
    boolean unsure;
    /** The end that it tells; null for none. */
    Result result;
    /** Whether that end is a failure that counts. */
    boolean fails;
    /** A command that cancels or closes. */
    TaskTruth stopping;
    /** Pilots that were told to take no jobs. */
    final Set<String> drained = new HashSet<>();
    /** Pilots that were told to take jobs again. */
    final Set<String> resumed = new HashSet<>();
    /** Whether the pilot may not have the job that it has started. */
    boolean mustStop;

    Context(Event event, long now) {
        this.event = event;
        this.now = now;
    }
}
