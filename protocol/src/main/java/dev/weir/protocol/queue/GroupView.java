package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.weir.protocol.Check;
import java.time.Instant;

/**
 * A limit group of items, over all queues.
 *
 * @param maxInFlight most items of it that are leased; null for any number
 * @param maxStarts most of its leases that begin within windowS seconds; null for any number, as windowS
 * @param inFlight how many items of it are leased
 * @param starts how many leases have begun within its window; 0 when starts are not limited
 * @param waiting how many items wait for a place in it, of the first thousand sets of groups
 * @param heldUntil nothing starts before; null when it is not held
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupView(
        String group,
        Integer maxInFlight,
        Integer maxStarts,
        Integer windowS,
        long inFlight,
        long starts,
        long waiting,
        Instant heldUntil) {

    public GroupView {
        Check.group("group", group);
        Check.notNegative("in_flight", inFlight);
        Check.notNegative("starts", starts);
        Check.notNegative("waiting", waiting);
        checkCount("max_in_flight", maxInFlight);
        checkCount("max_starts", maxStarts);
        checkCount("window_s", windowS);
    }

    private static void checkCount(String field, Integer value) {
        if (value != null) {
            Check.within(field, value, 0, Integer.MAX_VALUE);
        }
    }
}
