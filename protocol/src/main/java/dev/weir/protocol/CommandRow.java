package dev.weir.protocol;

import java.time.Instant;

/**
 * A row of {@code command_dat}: a command about a task, and what came of it. A repetition that was ignored because its id was known has no row of its own.
 *
 * @param id of the command
 * @param rank that was given; null for other commands than rank
 * @param position and priority of a file; null for other commands than priority
 * @param by who gave it; null when not told
 * @param givenAt by the clock of its sender
 * @param reason why it was ignored or refused; null when applied
 * @param decidedAt by the clock of Weir
 */
public record CommandRow(
        String id,
        String taskUid,
        Command.Type type,
        Double rank,
        Long position,
        Integer priority,
        String by,
        Instant givenAt,
        Outcome.Kind outcome,
        String reason,
        Instant decidedAt,
        long version,
        boolean deleted)
        implements Row {

    public CommandRow {
        Check.uid("id", id);
        Check.uid("task_uid", taskUid);
        Check.required("type", type);
        if (rank != null) {
            Check.within("rank", rank, Limits.MIN_RANK, Limits.MAX_RANK);
        }
        Check.optionalWithin("priority", priority, 1, FileInfo.MAX_PRIORITY);
        Check.label("by", by);
        Check.required("outcome", outcome);
        Check.required("given_at", givenAt);
        Check.required("decided_at", decidedAt);
        reason = Check.sentence(reason);
    }

    /** What came of a command. */
    public static CommandRow of(
            Command.AboutTask command, Outcome.Kind outcome, String reason, Instant decidedAt, long version) {
        Command.Priority priority = command instanceof Command.Priority is ? is : null;
        return new CommandRow(
                command.id(),
                command.taskUid(),
                command.type(),
                command instanceof Command.Rank rank ? rank.rank() : null,
                priority == null ? null : priority.position(),
                priority == null ? null : priority.priority(),
                command.by(),
                command.at(),
                outcome,
                reason,
                decidedAt,
                version,
                false);
    }
}
