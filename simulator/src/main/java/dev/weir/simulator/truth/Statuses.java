package dev.weir.simulator.truth;

import dev.weir.protocol.JobStatus;

/** Sets of job states as bits. */
final class Statuses {

    static final int WAITING = bit(JobStatus.WAITING);
    static final int QUEUED = bit(JobStatus.QUEUED);
    static final int COOLING = bit(JobStatus.COOLING);
    static final int STARTING = bit(JobStatus.STARTING);
    static final int RUNNING = bit(JobStatus.RUNNING);
    static final int FINISHED = bit(JobStatus.FINISHED);
    static final int FAILED = bit(JobStatus.FAILED);
    static final int KILLED = bit(JobStatus.KILLED);
    static final int CANCELLED = bit(JobStatus.CANCELLED);

    static final int PENDING = WAITING | COOLING;
    static final int OWNED = STARTING | RUNNING;
    static final int OUT = QUEUED | OWNED;
    static final int TERMINAL = FINISHED | FAILED | KILLED | CANCELLED;
    static final int ANY = PENDING | OUT | TERMINAL;

    private Statuses() {}

    static int bit(JobStatus status) {
        return 1 << status.ordinal();
    }

    static boolean in(JobStatus status, int set) {
        return (bit(status) & set) != 0;
    }

    static String names(int set) {
        StringBuilder names = new StringBuilder();
        for (JobStatus status : JobStatus.values()) {
            if (in(status, set)) {
                names.append(names.isEmpty() ? "" : "|").append(status);
            }
        }
        return names.toString();
    }
}
