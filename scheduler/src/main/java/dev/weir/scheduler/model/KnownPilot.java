package dev.weir.scheduler.model;

import dev.weir.engine.Entity;
import dev.weir.engine.Timer;
import dev.weir.engine.store.Store;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Tables;
import java.util.List;

/** A pilot that was heard, or that a command is about, in memory. */
public final class KnownPilot implements Entity {

    public final PilotRecord record;
    /** Lease clock: the pilot counts as gone then. */
    public final Timer lease = new Timer(TimerKind.PILOT_LEASE, this);
    /** Its started jobs, and the pools in which it counts as able to take work. */
    public final PilotLoad load;
    /** The pools that it serves, whether it may take work or not; none while it is not heard. */
    public List<Pool> liveIn = List.of();
    /** Where it is; null before it is counted and when it is forgotten. */
    public WorkerNode node;

    public boolean gone;
    /** Whether it had said that it would end, and had no job, when it was not heard any more. */
    public boolean hasEnded;

    private boolean changed;

    public KnownPilot(PilotRecord record, PilotLoad load) {
        this.record = record;
        this.load = load;
    }

    /** The node whose failures count together. */
    public String nodeName() {
        return record.host == null ? record.id : record.host;
    }

    @Override
    public boolean markChanged(boolean isChanged) {
        boolean was = changed;
        changed = isChanged;
        return was;
    }

    @Override
    public void save(Store store) {
        if (gone) {
            store.remove(Tables.PILOT, record.id);
        } else {
            store.put(Tables.PILOT, record.id, record);
        }
    }
}
