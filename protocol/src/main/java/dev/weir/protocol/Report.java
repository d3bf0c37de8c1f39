package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;

/** What arrives on {@code weir.reports}: a pilot's heartbeat, a job's status or result, or Weir's own beat. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @Type(value = Heartbeat.class, name = "heartbeat"),
    @Type(value = Status.class, name = "status"),
    @Type(value = Result.class, name = "result"),
    @Type(value = Beat.class, name = "beat")
})
public sealed interface Report permits Heartbeat, Status, Result, Beat {

    /** The time of sending by the sender's clock; for people, never for decisions. Null if unknown. */
    Instant sentAt();

    /** Its sender; null for Weir itself. */
    default String pilotId() {
        return null;
    }

    /** The pool of the job, or the preferred pool of the pilot; null for Weir itself. */
    default String pool() {
        return null;
    }

    /** The job that it is about; null for none, and then attempt is null as well. */
    default String jobUid() {
        return null;
    }

    /** The attempt that it is about. */
    default Integer attempt() {
        return null;
    }

    /** Of the job that it is about, as the sender gave it; may be null. */
    default String route() {
        return null;
    }
}
