package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.PilotRecord;
import java.util.List;

/** A pilot in memory. */
final class PilotEntry {

    final PilotRecord r;
    /** Beat clock: it counts as gone then. */
    final Timer lease;
    /** What it has started, and the pools in which it counts as one that may take work. */
    final Work work;
    /** The pools that it serves, whether it may take work or not; none while it is not heard. */
    List<PoolEntry> liveIn = List.of();
    /** Where it is, and its neighbours there; null before it is counted and when it is forgotten. */
    NodeEntry node;

    PilotEntry beforeAtNode;
    PilotEntry afterAtNode;

    boolean dirty;
    boolean gone;

    PilotEntry(Lane lane, PilotRecord record, Work work) {
        r = record;
        this.work = work;
        lease = new Timer(() -> lane.pilots.expired(this));
    }

    /** The node whose failures count together. */
    String nodeName() {
        return r.host == null ? r.id : r.host;
    }
}
