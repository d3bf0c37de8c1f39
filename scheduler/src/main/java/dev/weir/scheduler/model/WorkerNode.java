package dev.weir.scheduler.model;

import dev.weir.engine.Timer;
import dev.weir.scheduler.state.NodeRecord;
import java.util.LinkedHashSet;
import java.util.Set;

/** A worker node in memory, while it has pilots or fails. */
public final class WorkerNode {

    public final String name;
    /** Its pilots, in the order in which they came. */
    public final Set<KnownPilot> pilots = new LinkedHashSet<>(2);
    /** Null while its last attempt did not fail by the system's fault. */
    public NodeRecord failing;
    /** When {@link #failing} changed last, as far as this memory knows; milliseconds since 1970. */
    public long changedAt;
    /** When it is no longer set aside. */
    public final Timer back = new Timer(TimerKind.NODE_BACK, this);
    /** Whether its pools count it as set aside. */
    private boolean aside;
    /** Live pilots that serve a pool, by {@link Pool#index}. */
    private final int[] live;

    public WorkerNode(String name, int pools) {
        this.name = name;
        live = new int[pools];
    }

    public boolean isAside() {
        return aside;
    }

    /** After a restore, before its pilots: it is set aside. */
    public void restoredAside() {
        aside = true;
    }

    public boolean serves(Pool pool) {
        return live[pool.index] > 0;
    }

    /** A live pilot serves the pool from now on (1), or does no more (-1). */
    public void count(Pool pool, int more) {
        boolean before = serves(pool);
        live[pool.index] += more;
        if (live[pool.index] < 0) {
            throw new IllegalStateException("node " + name + " counts " + live[pool.index] + " pilots of " + pool.name);
        }
        if (before != serves(pool)) {
            pool.nodes += more;
            pool.nodesAside += aside ? more : 0;
        }
    }

    /** Counts it in its pools as set aside, or as not. */
    public void countAside(boolean isAside, Iterable<Pool> pools) {
        if (aside == isAside) {
            return;
        }
        aside = isAside;
        for (Pool pool : pools) {
            if (serves(pool)) {
                pool.nodesAside += aside ? 1 : -1;
            }
        }
    }
}
