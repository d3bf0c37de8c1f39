package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A command as it stands on the wire, before its type is looked at. Other messages ignore fields that they do not know. A command refuses
 * them, and those that its type does not use: a misspelt field would make it do something else than was meant.
 *
 * @param unknown all other fields; null or empty for none
 */
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
        Boolean lift,
        String pool,
        String pilotId,
        Long position,
        Integer priority,
        @JsonAnySetter Map<String, Object> unknown) {

    private static final String HEAD = "id, at, by, type";

    CommandFields {
        Check.uid("id", id);
        Check.required("at", at);
        Check.required("type", type);
    }

    /** Throws {@link InvalidMessage} when a field that the type needs is missing or out of range, and for any other field. */
    Command toCommand() {
        return switch (type) {
            case CANCEL, PAUSE, RESUME, CLOSE, RETRY_FAILED -> {
                refuseAllBut("task_uid");
                yield new Command.TaskAction(id, at, by, type, taskUid);
            }
            case RANK -> {
                refuseAllBut("task_uid", "rank");
                Check.uid("task_uid", taskUid);
                yield new Command.Rank(id, at, by, taskUid, Check.required("rank", rank));
            }
            case PRIORITY -> {
                refuseAllBut("task_uid", "position", "priority");
                Check.uid("task_uid", taskUid);
                Check.notNegative("position", Check.required("position", position));
                yield new Command.Priority(id, at, by, taskUid, position, Check.required("priority", priority));
            }
            case LIMIT -> {
                refuseAllBut("group", "max_in_flight", "max_starts", "window_s", "lift");
                yield new Command.Limit(id, at, by, group, maxInFlight, maxStarts, windowS, lift);
            }
            case POOL_PAUSE, POOL_RESUME, POOL_DRAIN -> {
                refuseAllBut("pool");
                yield new Command.PoolAction(id, at, by, type, pool);
            }
            case PILOT_DRAIN, PILOT_EXCLUDE, PILOT_INCLUDE -> {
                refuseAllBut("pilot_id");
                yield new Command.PilotAction(id, at, by, type, pilotId);
            }
        };
    }

    private void refuseAllBut(String... used) {
        Map<String, Object> given = new LinkedHashMap<>();
        given.put("task_uid", taskUid);
        given.put("rank", rank);
        given.put("group", group);
        given.put("max_in_flight", maxInFlight);
        given.put("max_starts", maxStarts);
        given.put("window_s", windowS);
        given.put("lift", lift);
        given.put("pool", pool);
        given.put("pilot_id", pilotId);
        given.put("position", position);
        given.put("priority", priority);
        given.values().removeIf(value -> value == null);
        given.keySet().removeAll(List.of(used));
        if (unknown != null) {
            given.putAll(unknown);
        }
        for (String field : given.keySet()) {
            throw new InvalidMessage(
                    field,
                    field + " is no field of a command of type "
                            + type.name().toLowerCase(Locale.ROOT) + "; it has " + HEAD + ", "
                            + String.join(", ", used));
        }
    }
}
