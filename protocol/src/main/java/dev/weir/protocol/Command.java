package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * An operator's command. Its type determines the required fields.
 *
 * @param id unique; the same id again is ignored
 * @param at time of the command; an older command never overrides a newer one about the same subject
 * @param by the operator; null if unknown
 * @param rank for {@code rank}
 * @param group for {@code limit}, with at least one of the next two
 * @param maxInFlight maximum number of jobs of the group at once; null for no such limit
 * @param maxStarts maximum number of starts of the group within windowS seconds; null for no such limit
 * @param position for {@code priority}: the file's position in its task, from 0, as in the name of its job
 * @param priority for {@code priority}: 1 is best
 */
public record Command(
        String id,
        Instant at,
        String by,
        Type type,
        String taskUid,
        Double rank,
        String group,
        Integer maxInFlight,
        Integer maxStarts,
        Integer windowS,
        String pool,
        String pilotId,
        Long position,
        Integer priority) {

    /** A command about a task without further fields. */
    public static Command ofTask(String id, Instant at, String by, Type type, String taskUid) {
        return ofTask(id, at, by, type, taskUid, null, null, null);
    }

    /** Changes a task's base rank. */
    public static Command rank(String id, Instant at, String by, String taskUid, double rank) {
        return ofTask(id, at, by, Type.RANK, taskUid, rank, null, null);
    }

    /** Changes a waiting file's priority. */
    public static Command priority(String id, Instant at, String by, String taskUid, long position, int priority) {
        return ofTask(id, at, by, Type.PRIORITY, taskUid, null, position, priority);
    }

    private static Command ofTask(
            String id, Instant at, String by, Type type, String taskUid, Double rank, Long position, Integer priority) {
        return new Command(id, at, by, type, taskUid, rank, null, null, null, null, null, null, position, priority);
    }

    /** Sets the limits of a group; null removes one. */
    public static Command limit(
            String id, Instant at, String by, String group, Integer maxInFlight, Integer maxStarts, Integer windowS) {
        return new Command(
                id, at, by, Type.LIMIT, null, null, group, maxInFlight, maxStarts, windowS, null, null, null, null);
    }

    /** A command about a pool. */
    public static Command ofPool(String id, Instant at, String by, Type type, String pool) {
        return new Command(id, at, by, type, null, null, null, null, null, null, pool, null, null, null);
    }

    /** A command about a pilot. */
    public static Command ofPilot(String id, Instant at, String by, Type type, String pilotId) {
        return new Command(id, at, by, type, null, null, null, null, null, null, null, pilotId, null, null);
    }

    /** The kind of subject of a command. */
    public enum Subject {
        TASK,
        GROUP,
        POOL,
        PILOT
    }

    /** The action. */
    public enum Type {
        @JsonProperty("rank")
        RANK(Subject.TASK),
        @JsonProperty("cancel")
        CANCEL(Subject.TASK),
        @JsonProperty("pause")
        PAUSE(Subject.TASK),
        @JsonProperty("resume")
        RESUME(Subject.TASK),
        @JsonProperty("close")
        CLOSE(Subject.TASK),
        @JsonProperty("retry_failed")
        RETRY_FAILED(Subject.TASK),
        /** One waiting file of a task in priority order. */
        @JsonProperty("priority")
        PRIORITY(Subject.TASK),
        @JsonProperty("limit")
        LIMIT(Subject.GROUP),
        @JsonProperty("pool_pause")
        POOL_PAUSE(Subject.POOL),
        @JsonProperty("pool_resume")
        POOL_RESUME(Subject.POOL),
        @JsonProperty("pool_drain")
        POOL_DRAIN(Subject.POOL),
        @JsonProperty("pilot_drain")
        PILOT_DRAIN(Subject.PILOT),
        @JsonProperty("pilot_exclude")
        PILOT_EXCLUDE(Subject.PILOT),
        @JsonProperty("pilot_include")
        PILOT_INCLUDE(Subject.PILOT);

        private final Subject subject;

        Type(Subject subject) {
            this.subject = subject;
        }

        public Subject subject() {
            return subject;
        }
    }

    public Command {
        Check.uid("id", id);
        Check.required("at", at);
        Check.required("type", type);
        switch (type.subject()) {
            case TASK -> Check.uid("task_uid", taskUid);
            case GROUP -> checkLimit(group, maxInFlight, maxStarts, windowS);
            case POOL -> Check.uid("pool", pool);
            case PILOT -> Check.uid("pilot_id", pilotId);
        }
        if (type == Type.PRIORITY) {
            Check.notNegative("position", Check.required("position", position));
            Check.within("priority", Check.required("priority", priority), 1, FileInfo.MAX_PRIORITY);
        }
        if (type == Type.RANK) {
            Check.within("rank", Check.required("rank", rank), Limits.MIN_RANK, Limits.MAX_RANK);
        }
    }

    private static void checkLimit(String group, Integer maxInFlight, Integer maxStarts, Integer windowS) {
        Check.group("group", group);
        if (maxInFlight != null) {
            Check.within("max_in_flight", maxInFlight, 0, Integer.MAX_VALUE);
        }
        if (maxStarts != null) {
            Check.within("max_starts", maxStarts, 0, Integer.MAX_VALUE);
            Check.within("window_s", Check.required("window_s", windowS), 1, Task.MAX_SECONDS);
        }
    }
}
