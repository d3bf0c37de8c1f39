package dev.weir.scheduler.model;

import dev.weir.engine.SeenIds;
import dev.weir.engine.Session;
import dev.weir.scheduler.options.SchedulerOptions;

/** What must be recognised when it comes again: commands, closed and rejected tasks, closed datasets, commands about forgotten pilots. */
public final class Seen {

    private static final String TASK = "t/";
    private static final String DATASET = "d/";
    private static final String REJECTED = "r/";
    private static final String COMMAND = "c/";
    private static final String PILOT = "p/";
    private static final String YES = "1";
    private static final String AS_REJECTED = " rejected";

    private final SeenIds ids;
    private final long closedMillis;
    private final long commandMillis;

    Seen(Session<?> session, SchedulerOptions options) {
        closedMillis = options.admission().closedMemory().toMillis();
        commandMillis = options.commands().memory().toMillis();
        ids = new SeenIds(session, Math.max(closedMillis, commandMillis));
    }

    /**
     * A task that is over.
     *
     * @param wasRejected whether it was rejected after it had been accepted
     */
    public record ClosedTask(long contentHash, boolean wasRejected) {}

    /** Null when no such task is remembered. */
    public ClosedTask closedTask(String uid) {
        String closed = ids.get(TASK + uid);
        if (closed == null) {
            return null;
        }
        boolean wasRejected = closed.endsWith(AS_REJECTED);
        int digits = closed.length() - (wasRejected ? AS_REJECTED.length() : 0);
        return new ClosedTask(Long.parseUnsignedLong(closed, 0, digits, 16), wasRejected);
    }

    public void taskClosed(String uid, ClosedTask closed) {
        String hash = Long.toHexString(closed.contentHash);
        ids.remember(TASK + uid, closed.wasRejected ? hash + AS_REJECTED : hash, closedMillis);
    }

    /** How many events were sent of tasks with this uid that were not taken; 0 when none is remembered. The uid is free. */
    public int eventsOfRejected(String uid) {
        String events = ids.get(REJECTED + uid);
        return events == null ? 0 : Integer.parseInt(events);
    }

    /** A task was not taken. Events of another one with its uid go on with their numbers. */
    public void taskRejected(String uid, int events) {
        ids.remember(REJECTED + uid, Integer.toString(events), closedMillis);
    }

    /** The task that closed a dataset; null when none is remembered. */
    public String closerOf(String datasetUid) {
        return ids.get(DATASET + datasetUid);
    }

    public void datasetClosed(String datasetUid, String taskUid) {
        ids.remember(DATASET + datasetUid, taskUid, closedMillis);
    }

    public boolean isCommandKnown(String id) {
        return ids.get(COMMAND + id) != null;
    }

    public void commandTaken(String id) {
        ids.remember(COMMAND + id, YES, commandMillis);
    }

    /** When the newest command about a forgotten pilot was given, in milliseconds since 1970; 0 when none is remembered. */
    public long pilotCommandAt(String id) {
        String at = ids.get(PILOT + id);
        // An older version wrote a second number.
        return at == null ? 0 : Long.parseLong(at, 0, at.indexOf(' ') < 0 ? at.length() : at.indexOf(' '), 10);
    }

    /** A pilot with commands is forgotten; an older command that comes late must not override them. */
    public void pilotCommanded(String id, long at) {
        ids.remember(PILOT + id, Long.toString(at), commandMillis);
    }
}
