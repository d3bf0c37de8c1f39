package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;

/**
 * What came of a command or of a task that was sent: the answer to its sender.
 *
 * @param id of the command; uid of the task
 * @param at when it was decided
 * @param reason why it was ignored or refused, in a sentence; null when applied
 * @param field the field at fault of what was refused; null for the message as a whole
 */
public record Outcome(About about, String id, Kind outcome, Instant at, String reason, String field) {

    /** What was sent. */
    public enum About {
        @JsonProperty("command")
        COMMAND,
        @JsonProperty("task")
        TASK
    }

    /** What came of it. */
    public enum Kind {
        /** Done, or, of a task, taken. */
        @JsonProperty("applied")
        APPLIED,
        /** It changes nothing: a repetition, or older than another command about the same thing. */
        @JsonProperty("ignored")
        IGNORED,
        /** It cannot be done. */
        @JsonProperty("refused")
        REFUSED
    }

    public Outcome {
        Check.required("about", about);
        Check.uid("id", id);
        Check.required("outcome", outcome);
        reason = Check.sentence(reason);
        field = field == null ? null : Texts.first(field, Limits.MAX_FIELD_LENGTH);
    }

    /** At the exchange of events. */
    public String routingKey() {
        return "outcome." + about.name().toLowerCase(java.util.Locale.ROOT);
    }
}
