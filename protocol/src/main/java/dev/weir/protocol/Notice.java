package dev.weir.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A message to a pilot: to stop one attempt, or to take no jobs for a while.
 *
 * @param jobUid the job of the attempt to stop; null for drain and resume, which are about the pilot
 * @param attempt null with jobUid
 * @param leaseS drain: its duration in seconds from the receipt, unless it is repeated; null otherwise
 * @param reason for people; may be null
 */
public record Notice(Kind type, String jobUid, Integer attempt, Integer leaseS, String reason) {

    /** The action. */
    public enum Kind {
        /** Stop the attempt and report {@code cancelled}. */
        @JsonProperty("cancel")
        CANCEL,
        /** Stop the attempt and report {@code killed}. */
        @JsonProperty("kill")
        KILL,
        /** Finish the current job and take no other until {@link #RESUME} or the end of the lease. */
        @JsonProperty("drain")
        DRAIN,
        /** Take jobs again. */
        @JsonProperty("resume")
        RESUME;

        /** Whether it is about one attempt instead of the whole pilot. */
        public boolean isAboutAttempt() {
            return this == CANCEL || this == KILL;
        }
    }

    public Notice {
        Check.required("type", type);
        Check.optionalUid("job_uid", jobUid);
        reason = Check.sentence(reason);
        if (type.isAboutAttempt()) {
            Check.uid("job_uid", jobUid);
            Check.required("attempt", attempt);
        }
        Check.attempt(attempt);
        if (type == Kind.DRAIN) {
            Check.required("lease_s", leaseS);
        }
        if (leaseS != null) {
            Check.within("lease_s", leaseS, 1, Task.MAX_SECONDS);
        }
    }

    /** A notice about one attempt. */
    public Notice(Kind type, String jobUid, Integer attempt, String reason) {
        this(type, jobUid, attempt, null, reason);
    }

    /** Take no jobs for this number of seconds. */
    public static Notice drain(int leaseS, String reason) {
        return new Notice(Kind.DRAIN, null, null, leaseS, reason);
    }

    /** Take jobs again. */
    public static Notice resume(String reason) {
        return new Notice(Kind.RESUME, null, null, null, reason);
    }
}
