package dev.weir.pilot.run;

import java.util.concurrent.CompletableFuture;

/** Stops a running attempt; this cannot be undone. The first reason counts. Safe for use from many threads. */
public final class StopSignal {

    /** The cause: decides between {@code cancelled} and {@code killed} in the result. */
    public enum Cause {
        /** The task is cancelled, or the attempt is no longer wanted here. */
        CANCEL,
        KILL,
        /** The pilot ends. */
        SHUTDOWN
    }

    /** Why an attempt must stop. */
    public record Stop(Cause cause, String reason) {}

    private final CompletableFuture<Stop> requested = new CompletableFuture<>();

    /** Whether this was the first request. */
    public boolean request(Cause cause, String reason) {
        return requested.complete(new Stop(cause, reason));
    }

    /** The request, or null while there is none. */
    Stop now() {
        return requested.getNow(null);
    }

    /** Completes at the request; do not complete it. */
    CompletableFuture<Stop> future() {
        return requested;
    }

    void check() throws StoppedException {
        Stop stop = now();
        if (stop != null) {
            throw new StoppedException(stop);
        }
    }

    /** The attempt ends here because a stop was requested. */
    static final class StoppedException extends Exception {

        private final transient Stop stop;

        StoppedException(Stop stop) {
            super(stop.reason());
            this.stop = stop;
        }

        Stop stop() {
            return stop;
        }
    }
}
