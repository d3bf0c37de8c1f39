package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Weir tells a pilot to stop one attempt. */
public record Notice(Kind type, String jobUid, Integer attempt, String reason) {

    /** Why the attempt must stop: decides between {@code cancelled} and {@code killed} in its result. */
    public enum Kind {
        @JsonProperty("cancel")
        CANCEL,
        @JsonProperty("kill")
        KILL
    }

    public Notice {
        Check.required("type", type);
        Check.uid("job_uid", jobUid);
        Check.within("attempt", Check.required("attempt", attempt), 1, Integer.MAX_VALUE);
    }
}
