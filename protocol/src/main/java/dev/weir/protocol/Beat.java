package dev.weir.protocol;

import java.time.Instant;

/**
 * Weir's message to itself. Lease deadlines advance only as beats arrive, so that an outage of the broker or of Weir expires
 * nobody.
 *
 * @param route the lane that sent it, as in {@link Route}
 */
public record Beat(Instant sentAt, String route) implements Report {

    public Beat {
        Check.required("route", route);
    }
}
