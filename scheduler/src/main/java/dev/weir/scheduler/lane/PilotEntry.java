package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.PilotRecord;
import java.util.List;

/** A pilot in memory. */
final class PilotEntry {

    final PilotRecord r;
    /** Beat clock: it counts as gone then. */
    final Timer lease;
    /** The pools in which it counts as one that may take work. */
    List<PoolEntry> countedIn = List.of();

    boolean dirty;
    boolean gone;

    PilotEntry(Lane lane, PilotRecord record) {
        r = record;
        lease = new Timer(() -> lane.pilots.expired(this));
    }

    /** The node whose failures count together. */
    String node() {
        return r.host == null ? r.id : r.host;
    }
}
