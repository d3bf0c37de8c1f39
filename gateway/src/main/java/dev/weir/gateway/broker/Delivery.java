package dev.weir.gateway.broker;

/**
 * A job's message that is not acknowledged.
 *
 * @param pool whose queue it came from
 * @param isRedelivered whether somebody may have had it before
 */
public record Delivery(long tag, String pool, byte[] body, boolean isRedelivered) {}
