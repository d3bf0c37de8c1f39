package dev.weir.chaos.plan;

import java.util.Locale;

/** What happens to a target. */
public enum How {
    /** SIGKILL; started again when the fault is over. */
    KILLED,
    /** SIGSTOP; SIGCONT when the fault is over. */
    PAUSED,
    /** Connections are closed without an answer. */
    AWAY,
    /** Every answer takes seconds. */
    SLOW,
    /** Answers that are no answers: pages of errors, and JSON that breaks off. */
    GARBAGE,
    /** No byte more fits on its disk. */
    FULL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
