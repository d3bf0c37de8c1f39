package dev.weir.protocol;

import java.time.Instant;

/** A command as it stands on the wire, before its type is looked at. Fields that the type does not use are dropped. */
record CommandFields(
        String id,
        Instant at,
        String by,
        Command.Type type,
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

    CommandFields {
        Check.uid("id", id);
        Check.required("at", at);
        Check.required("type", type);
    }

    /** Throws {@link InvalidMessage} when a field that the type needs is missing or out of range. */
    Command toCommand() {
        return switch (type) {
            case CANCEL, PAUSE, RESUME, CLOSE, RETRY_FAILED -> new Command.TaskAction(id, at, by, type, taskUid);
            case RANK -> {
                Check.uid("task_uid", taskUid);
                yield new Command.Rank(id, at, by, taskUid, Check.required("rank", rank));
            }
            case PRIORITY -> {
                Check.uid("task_uid", taskUid);
                Check.notNegative("position", Check.required("position", position));
                yield new Command.Priority(id, at, by, taskUid, position, Check.required("priority", priority));
            }
            case LIMIT -> new Command.Limit(id, at, by, group, maxInFlight, maxStarts, windowS);
            case POOL_PAUSE, POOL_RESUME, POOL_DRAIN -> new Command.PoolAction(id, at, by, type, pool);
            case PILOT_DRAIN, PILOT_EXCLUDE, PILOT_INCLUDE -> new Command.PilotAction(id, at, by, type, pilotId);
        };
    }
}
