package dev.weir.protocol.queue;

import java.time.Instant;

/**
 * The queues' message to themselves, behind the reports of workers. Lease time advances only when beats arrive, so an outage of the
 * broker or of Weir expires no lease.
 *
 * @param sentAt by Weir's clock; for people
 */
public record QueueBeat(Instant sentAt) implements QueueMessage {}
