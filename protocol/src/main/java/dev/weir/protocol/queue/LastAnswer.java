package dev.weir.protocol.queue;

import dev.weir.protocol.Check;

/**
 * The last result of a key. Times are durations, because clocks differ.
 *
 * @param ageMs since it was made, in milliseconds
 * @param freshMs for how much longer it is fresh, in milliseconds; 0 when it is stale
 * @param staleMs for how much longer it may be given although it is stale, once it is, in milliseconds
 */
public record LastAnswer(Payload result, long ageMs, long freshMs, long staleMs) {

    public LastAnswer {
        result = result == null ? Payload.NONE : result;
        Check.notNegative("age_ms", ageMs);
        Check.notNegative("fresh_ms", freshMs);
        Check.notNegative("stale_ms", staleMs);
    }
}
