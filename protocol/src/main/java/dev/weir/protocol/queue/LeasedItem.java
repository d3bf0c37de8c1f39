package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.weir.protocol.Check;
import dev.weir.protocol.Texts;
import java.util.List;

/**
 * An item that a worker has taken.
 *
 * @param attempt the n-th start, from 1; handed back ones do not count
 * @param token proves the lease: done and extend need it
 * @param leaseS how long a silent worker keeps it, in seconds
 */
public record LeasedItem(
        String key,
        String kind,
        String owner,
        int priority,
        Payload payload,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> groups,
        int attempt,
        String token,
        int leaseS) {

    public LeasedItem {
        Item.checkKey(key);
        Check.uid("kind", kind);
        Check.uid("owner", owner);
        Check.within("priority", priority, 1, QueueLimits.WORST_PRIORITY);
        payload = payload == null ? Payload.NONE : payload;
        groups = Check.groups("groups", groups);
        Check.within("attempt", attempt, 1, Integer.MAX_VALUE);
        Check.token("token", token);
        Check.within("lease_s", leaseS, 1, QueueLimits.MAX_LEASE_SECONDS);
    }

    /** An upper bound of its bytes in a message. */
    public long jsonBytes() {
        return Item.jsonBytes(key, payload, groups) + Texts.jsonBytes(token);
    }
}
