package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/** Somebody steers Weir: a record for each kind of thing that a command is about. Which record a message becomes follows from its type. */
@JsonPropertyOrder({"id", "at", "by", "type"})
public sealed interface Command {

    /** Unique; the same id again is ignored. */
    String id();

    /** When it was given; an older command never overrides a newer one about the same thing. */
    Instant at();

    /** Who gave it; null when not told. */
    String by();

    @JsonProperty("type")
    Type type();

    /** A command about a task. */
    sealed interface AboutTask extends Command {
        String taskUid();
    }

    /** What needs no more than the task: cancel, pause, resume, close, retry failed jobs. */
    record TaskAction(String id, Instant at, String by, Type type, String taskUid) implements AboutTask {
        public TaskAction {
            checkHead(id, at, by, type, Subject.TASK);
            Check.uid("task_uid", taskUid);
            if (type == Type.RANK || type == Type.PRIORITY) {
                throw new InvalidMessage("type", type + " needs more than a task");
            }
        }
    }

    /** Gives a task another base rank. */
    record Rank(String id, Instant at, String by, String taskUid, double rank) implements AboutTask {
        public Rank {
            checkHead(id, at, by, Type.RANK, Subject.TASK);
            Check.uid("task_uid", taskUid);
            Check.within("rank", rank, Limits.MIN_RANK, Limits.MAX_RANK);
        }

        @Override
        public Type type() {
            return Type.RANK;
        }
    }

    /**
     * Gives one waiting file of a task in priority order another priority.
     *
     * @param position of the file in its task, from 0, as in the name of its job
     * @param priority 1 is best
     */
    record Priority(String id, Instant at, String by, String taskUid, long position, int priority)
            implements AboutTask {
        public Priority {
            checkHead(id, at, by, Type.PRIORITY, Subject.TASK);
            Check.uid("task_uid", taskUid);
            Check.notNegative("position", position);
            Check.within("priority", priority, 1, FileInfo.MAX_PRIORITY);
        }

        @Override
        public Type type() {
            return Type.PRIORITY;
        }
    }

    /**
     * Sets all limits of a group: at least one of the two, or that it has none.
     *
     * @param maxInFlight most jobs of the group at once; null: any number
     * @param maxStarts most starts of the group within windowS seconds; null: any number, and then windowS is null too
     * @param lift true: the group has no limits any more; otherwise null
     */
    record Limit(
            String id,
            Instant at,
            String by,
            String group,
            Integer maxInFlight,
            Integer maxStarts,
            Integer windowS,
            Boolean lift)
            implements Command {
        public Limit {
            checkHead(id, at, by, Type.LIMIT, Subject.GROUP);
            Check.group("group", group);
            if (maxInFlight != null) {
                Check.within("max_in_flight", maxInFlight, 0, Integer.MAX_VALUE);
            }
            if (maxStarts != null) {
                Check.within("max_starts", maxStarts, 0, Integer.MAX_VALUE);
                Check.within("window_s", Check.required("window_s", windowS), 1, Task.MAX_SECONDS);
            } else if (windowS != null) {
                throw new InvalidMessage("max_starts", "window_s needs max_starts");
            }
            boolean limits = maxInFlight != null || maxStarts != null;
            if (lift == null && !limits) {
                throw new InvalidMessage(
                        null, "a limit command sets max_in_flight, or max_starts with window_s, or says lift: true");
            }
            if (lift != null && (!lift || limits)) {
                throw new InvalidMessage("lift", "lift must be true, and alone: it takes all limits of the group away");
            }
        }

        @Override
        public Type type() {
            return Type.LIMIT;
        }
    }

    /** Pauses, resumes or drains a pool. */
    record PoolAction(String id, Instant at, String by, Type type, String pool) implements Command {
        public PoolAction {
            checkHead(id, at, by, type, Subject.POOL);
            Check.uid("pool", pool);
        }
    }

    /** Drains, excludes or includes a pilot. */
    record PilotAction(String id, Instant at, String by, Type type, String pilotId) implements Command {
        public PilotAction {
            checkHead(id, at, by, type, Subject.PILOT);
            Check.pilot("pilot_id", pilotId);
        }
    }

    static TaskAction ofTask(String id, Instant at, String by, Type type, String taskUid) {
        return new TaskAction(id, at, by, type, taskUid);
    }

    static Rank rank(String id, Instant at, String by, String taskUid, double rank) {
        return new Rank(id, at, by, taskUid, rank);
    }

    static Priority priority(String id, Instant at, String by, String taskUid, long position, int priority) {
        return new Priority(id, at, by, taskUid, position, priority);
    }

    static Limit limit(
            String id, Instant at, String by, String group, Integer maxInFlight, Integer maxStarts, Integer windowS) {
        return new Limit(id, at, by, group, maxInFlight, maxStarts, windowS, null);
    }

    /** Takes all limits of a group away, the configured ones too. */
    static Limit lift(String id, Instant at, String by, String group) {
        return new Limit(id, at, by, group, null, null, null, true);
    }

    static PoolAction ofPool(String id, Instant at, String by, Type type, String pool) {
        return new PoolAction(id, at, by, type, pool);
    }

    static PilotAction ofPilot(String id, Instant at, String by, Type type, String pilotId) {
        return new PilotAction(id, at, by, type, pilotId);
    }

    /** For {@link Json}. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Command of(CommandFields fields) {
        return fields.toCommand();
    }

    private static void checkHead(String id, Instant at, String by, Type type, Subject subject) {
        Check.uid("id", id);
        Check.required("at", at);
        Check.label("by", by);
        if (Check.required("type", type).subject() != subject) {
            throw new InvalidMessage("type", type + " is not about a " + subject);
        }
    }

    /** What a command is about. */
    enum Subject {
        TASK,
        GROUP,
        POOL,
        PILOT
    }

    /** What is to be done. */
    enum Type {
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
}
