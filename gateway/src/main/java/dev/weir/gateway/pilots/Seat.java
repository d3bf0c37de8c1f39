package dev.weir.gateway.pilots;

/**
 * What one pilot has here: at most one request that waits, and at most one job that it has not reported. Safe for use from many
 * threads.
 */
final class Seat {

    private Pop waiting;
    private Held held;

    /** Another request of the pilot waits now. Returns the one before, which must end; null for none. */
    synchronized Pop sit(Pop pop) {
        Pop before = waiting;
        waiting = pop;
        return before;
    }

    /** The request has ended; false when another has taken its place. */
    synchronized boolean leave(Pop pop) {
        if (waiting != pop) {
            return false;
        }
        waiting = null;
        return true;
    }

    /** The request ends with a job; false, without effect, when another has taken its place. */
    synchronized boolean leaveWith(Pop pop, Held job) {
        if (held != null || !leave(pop)) {
            return false;
        }
        held = job;
        return true;
    }

    /** The job that was not reported, which is here no longer; null for none. */
    synchronized Held giveUp() {
        Held before = held;
        held = null;
        return before;
    }

    /** Whether this job was still here; it no longer is. */
    synchronized boolean giveUp(Held job) {
        if (held != job) {
            return false;
        }
        held = null;
        return true;
    }

    synchronized Held held() {
        return held;
    }

    synchronized boolean isEmpty() {
        return waiting == null && held == null;
    }
}
