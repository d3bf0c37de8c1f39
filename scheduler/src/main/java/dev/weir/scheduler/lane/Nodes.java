package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.Tables;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Nodes that keep failing by the system's fault are set aside for a while, then tried again with one job. Payload failures do not
 * count, because a broken payload fails everywhere; and never are more than half of a pool's nodes set aside: when others go,
 * those that have been set aside for longest are tried again before their time.
 *
 * <p>Nodes may never come back: a batch system gives each of its own a new name. So what failed is forgotten a day after it could have been
 * tried again, and there are no more of them than there may be pilots.
 */
final class Nodes {

    /** After this, and the time for which a node is set aside, its failures in a row say nothing about it any more. */
    private static final long REMEMBERED_MILLIS = 24 * 3_600_000L;

    private final Lane lane;
    private final Map<String, NodeEntry> byName = new HashMap<>();
    /** Those with a record, the one whose record is oldest first. */
    private final LinkedHashSet<NodeEntry> failing = new LinkedHashSet<>();

    private final Timer forgetting = new Timer(this::forgetOld);
    /** Those that are set aside, the one that has been for longest first. */
    private final LinkedHashSet<NodeEntry> setAside = new LinkedHashSet<>();
    /** Pools of which more than half of the nodes may be set aside since the event began. */
    private final Set<PoolEntry> toCheck = new LinkedHashSet<>();

    Nodes(Lane lane) {
        this.lane = lane;
    }

    /** Before the pilots. How old the record is does not stand in it: its time begins anew. */
    void restore(NodeRecord stored) {
        NodeRecord record = healed(stored);
        NodeEntry node = node(record.node());
        node.failing = record;
        remember(node);
        node.aside = record.setAsideUntil() > lane.now;
        if (node.aside) {
            setAside.add(node);
        }
        // Also when that is over: its pilots may not have been told.
        if (record.setAsideUntil() != 0) {
            lane.wall.set(node.back(lane), record.setAsideUntil());
        }
    }

    /** A clock that was far ahead sets no node aside for longer than it may be. */
    private NodeRecord healed(NodeRecord stored) {
        long latest = lane.now + lane.options.pilots().setAside().toMillis();
        if (stored.setAsideUntil() <= latest) {
            return stored;
        }
        NodeRecord record = new NodeRecord(stored.node(), stored.pool(), stored.failures(), latest, stored.probeJob());
        lane.writes.put(Tables.NODE, record.node(), record);
        return record;
    }

    private NodeEntry node(String name) {
        NodeEntry node = byName.get(name);
        if (node == null) {
            node = new NodeEntry(name, lane.pools.size());
            byName.put(name, node);
        }
        return node;
    }

    /**
     * Where a pilot is, and which pools it serves while it lives.
     *
     * @param served none when it does not live
     */
    void count(PilotEntry pilot, List<PoolEntry> served) {
        NodeEntry before = pilot.node;
        boolean moves = before == null || !before.name.equals(pilot.nodeName());
        if (!moves && served.equals(pilot.liveIn)) {
            return;
        }
        for (PoolEntry pool : pilot.liveIn) {
            before.count(pool, -1);
            toCheck.add(pool);
        }
        if (moves) {
            if (before != null) {
                before.remove(pilot);
                dropIfUnused(before);
            }
            node(pilot.nodeName()).add(pilot);
        }
        pilot.liveIn = served;
        for (PoolEntry pool : served) {
            pilot.node.count(pool, 1);
            toCheck.add(pool);
        }
    }

    /** At the end of an event: nodes of its pools may have gone, or one that is set aside may have come back. */
    void keepHalf() {
        for (PoolEntry pool : toCheck) {
            while (isMoreThanHalf(pool, pool.nodesAside)) {
                tryBeforeTime(pool);
            }
        }
        toCheck.clear();
    }

    private static boolean isMoreThanHalf(PoolEntry pool, int nodes) {
        return nodes * 2 > pool.nodes;
    }

    private void tryBeforeTime(PoolEntry pool) {
        for (NodeEntry node : setAside) {
            if (node.serves(pool)) {
                NodeRecord record = node.failing;
                put(new NodeRecord(node.name, record.pool(), record.failures(), lane.now, null));
                lane.wall.clear(node.back(lane));
                recount(node);
                return;
            }
        }
        throw new IllegalStateException("pool " + pool.name + " counts " + pool.nodesAside + " nodes as set aside");
    }

    /** A pilot is not known any more. */
    void gone(PilotEntry pilot) {
        if (pilot.node != null) {
            count(pilot, List.of());
            NodeEntry node = pilot.node;
            node.remove(pilot);
            dropIfUnused(node);
        }
    }

    private void dropIfUnused(NodeEntry node) {
        if (node.failing == null && node.first() == null) {
            byName.remove(node.name);
        }
    }

    /** What is known of those that fail. */
    List<NodeRecord> records() {
        return failing.stream().map(node -> node.failing).toList();
    }

    private NodeRecord failing(String name) {
        NodeEntry node = byName.get(name);
        return node == null ? null : node.failing;
    }

    /** Whether it gets work: not set aside, or due to be tried again. */
    boolean takes(String name) {
        return setAsideUntil(name) <= lane.now;
    }

    /** Until when it is set aside, in milliseconds since 1970; 0 when it is not. */
    long setAsideUntil(String name) {
        NodeRecord record = failing(name);
        return record == null ? 0 : record.setAsideUntil();
    }

    /** Why a node may not have a job; null when it may. */
    String refusal(String name, String jobUid) {
        String why = unwanted(name, jobUid);
        NodeRecord record = failing(name);
        if (why == null && record != null && record.setAsideUntil() != 0) {
            put(new NodeRecord(name, record.pool(), record.failures(), record.setAsideUntil(), jobUid));
        }
        return why;
    }

    /**
     * Why a node would not be given another job; null when it would.
     *
     * @param jobUid the job that the pilot has, which may be the one that the node is tried with; null for none
     */
    String unwanted(String name, String jobUid) {
        NodeRecord record = failing(name);
        if (record == null || record.setAsideUntil() == 0) {
            return null;
        }
        if (lane.now < record.setAsideUntil()) {
            return "node " + name + " is set aside after " + record.failures() + " failures in a row";
        }
        String probe = record.probeJob();
        return probe != null && !probe.equals(jobUid) && runsAt(name, probe)
                ? "node " + name + " is tried again with job " + probe + " first"
                : null;
    }

    /** Whether the node has this job now. One that went elsewhere proves nothing about it, and must not keep it waiting. */
    private boolean runsAt(String name, String jobUid) {
        LiveJob job = lane.jobs.get(jobUid);
        return job != null && job.isStarted() && name.equals(nameOf(job.r.pilot));
    }

    /** The node of a pilot; its own name when it is not known. */
    private String nameOf(String pilotId) {
        PilotEntry pilot = lane.pilots.find(pilotId);
        return pilot == null ? pilotId : pilot.nodeName();
    }

    void failed(String pilotId, PoolEntry pool) {
        int after = lane.options.pilots().setAsideAfter();
        if (after == 0 || pilotId == null) {
            return;
        }
        String name = nameOf(pilotId);
        NodeRecord record = failing(name);
        int failures = record == null ? 1 : record.failures() + 1;
        NodeEntry node = node(name);
        boolean aside = failures >= after && mayBeSetAside(node);
        long until = aside ? lane.now + lane.options.pilots().setAside().toMillis() : 0;
        put(new NodeRecord(name, pool.name, failures, until, null));
        if (aside) {
            lane.wall.set(node.back(lane), until);
        }
        if (aside || record != null && record.setAsideUntil() != 0) {
            recount(node);
        }
    }

    /** Of no pool that it serves more than half of the nodes may be set aside. */
    private boolean mayBeSetAside(NodeEntry node) {
        boolean serves = false;
        for (PoolEntry pool : lane.pools.values()) {
            if (node.serves(pool)) {
                serves = true;
                if (isMoreThanHalf(pool, pool.nodesAside + (node.aside ? 0 : 1))) {
                    return false;
                }
            }
        }
        return serves;
    }

    void worked(String pilotId) {
        NodeEntry node = byName.get(nameOf(pilotId));
        if (node != null && node.failing != null) {
            forget(node);
        }
    }

    /** It is set aside from now on, or no longer. */
    void recount(NodeEntry node) {
        boolean takes = takes(node.name);
        node.countAside(!takes, lane.pools.values());
        setAside.remove(node);
        if (!takes) {
            setAside.add(node);
        }
        for (PilotEntry pilot = node.first(); pilot != null; pilot = pilot.afterAtNode) {
            lane.pilots.nodeChanged(pilot);
        }
    }

    private void put(NodeRecord record) {
        NodeEntry node = node(record.node());
        node.failing = record;
        lane.writes.put(Tables.NODE, record.node(), record);
        remember(node);
        while (failing.size() > lane.options.pilots().maxPilots()) {
            lane.counters.ignored("failing node");
            forget(failing.iterator().next());
        }
    }

    private void remember(NodeEntry node) {
        node.changedAt = lane.now;
        failing.remove(node);
        failing.add(node);
        if (!forgetting.isSet()) {
            lane.wall.set(forgetting, forgetAt(node));
        }
    }

    private long forgetAt(NodeEntry node) {
        return node.changedAt + lane.options.pilots().setAside().toMillis() + REMEMBERED_MILLIS;
    }

    private void forgetOld() {
        while (!failing.isEmpty()) {
            NodeEntry oldest = failing.iterator().next();
            if (forgetAt(oldest) > lane.now) {
                lane.wall.set(forgetting, forgetAt(oldest));
                return;
            }
            String probe = oldest.failing.probeJob();
            if (probe != null && runsAt(oldest.name, probe)) {
                // A long job, and what comes of it is still to be seen.
                remember(oldest);
            } else {
                forget(oldest);
            }
        }
    }

    /** It failed, and that counts no more. */
    private void forget(NodeEntry node) {
        boolean wasAside = node.failing.setAsideUntil() != 0;
        node.failing = null;
        failing.remove(node);
        lane.writes.remove(Tables.NODE, node.name);
        if (wasAside) {
            lane.wall.clear(node.back(lane));
            recount(node);
        }
        dropIfUnused(node);
    }
}
