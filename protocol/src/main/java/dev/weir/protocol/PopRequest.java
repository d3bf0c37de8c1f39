package dev.weir.protocol;

import java.util.HashSet;
import java.util.List;

/**
 * A pilot asks the gateway for one job, and for notices.
 *
 * @param queues the pools to take it from, the preferred one first, at most {@link Limits#MAX_POOLS}; none or null: only notices are wanted
 * @param waitS seconds to wait when there is neither, from 0 to {@link Limits#MAX_POP_WAIT_SECONDS}; null means 0
 */
public record PopRequest(String pilotId, List<String> queues, Double waitS) {

    public PopRequest {
        Check.pilot("pilot_id", pilotId);
        queues = Check.pools("queues", queues == null ? List.of() : queues);
        if (new HashSet<>(queues).size() < queues.size()) {
            throw new InvalidMessage("queues", "queues must not name a pool twice");
        }
        waitS = Check.within("wait_s", waitS == null ? 0 : waitS, 0, Limits.MAX_POP_WAIT_SECONDS);
    }
}
