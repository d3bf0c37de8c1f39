package dev.weir.protocol.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
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
        int leaseS) {}
