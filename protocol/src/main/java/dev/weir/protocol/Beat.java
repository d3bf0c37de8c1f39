package dev.weir.protocol;

import java.time.Instant;

/**
 * Weir's message to itself. Lease time advances only when beats arrive, so an outage of the broker or of Weir expires no
 * lease. After a start no file starts until the first one is back, behind the reports that waited.
 *
 * @param route the lane that sent it, as in {@link Route}
 */
public record Beat(Instant sentAt, String route) implements Report {

    public Beat {
        Check.label("route", Check.required("route", route));
    }
}
