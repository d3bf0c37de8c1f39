package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.NodeRecord;

/** A worker node in memory, while it has pilots or fails. Its pilots are linked through themselves, in the order in which they came. */
final class NodeEntry {

    final String name;
    /** Null while its last attempt did not fail by the system's fault. */
    NodeRecord failing;
    /** When {@link #failing} changed last, as far as this index knows; milliseconds since 1970. */
    long changedAt;
    /** Whether its pools count it as set aside. */
    boolean aside;
    /** When it is no longer set aside; null before it ever was. */
    private Timer back;

    /** Live pilots that serve a pool, by its {@link PoolEntry#index}. */
    private final int[] live;

    private PilotEntry first;
    private PilotEntry last;

    NodeEntry(String name, int pools) {
        this.name = name;
        live = new int[pools];
    }

    /** Most nodes never need it. */
    Timer back(Lane lane) {
        if (back == null) {
            back = new Timer(() -> lane.nodes.recount(this));
        }
        return back;
    }

    /** The one that came first; the others follow as {@link PilotEntry#afterAtNode}. */
    PilotEntry first() {
        return first;
    }

    void add(PilotEntry pilot) {
        pilot.node = this;
        pilot.beforeAtNode = last;
        if (last == null) {
            first = pilot;
        } else {
            last.afterAtNode = pilot;
        }
        last = pilot;
    }

    void remove(PilotEntry pilot) {
        if (pilot.beforeAtNode == null) {
            first = pilot.afterAtNode;
        } else {
            pilot.beforeAtNode.afterAtNode = pilot.afterAtNode;
        }
        if (pilot.afterAtNode == null) {
            last = pilot.beforeAtNode;
        } else {
            pilot.afterAtNode.beforeAtNode = pilot.beforeAtNode;
        }
        pilot.beforeAtNode = null;
        pilot.afterAtNode = null;
        pilot.node = null;
    }

    boolean serves(PoolEntry pool) {
        return live[pool.index] > 0;
    }

    /** A live pilot serves the pool from now on, or does no more. */
    void count(PoolEntry pool, int more) {
        boolean before = serves(pool);
        live[pool.index] += more;
        if (before != serves(pool)) {
            pool.nodes += more;
            pool.nodesAside += aside ? more : 0;
        }
    }

    /** Counts it in its pools as set aside, or as not. */
    void countAside(boolean isAside, Iterable<PoolEntry> pools) {
        if (aside == isAside) {
            return;
        }
        aside = isAside;
        for (PoolEntry pool : pools) {
            if (serves(pool)) {
                pool.nodesAside += aside ? 1 : -1;
            }
        }
    }
}
