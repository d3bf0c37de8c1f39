package dev.weir.scheduler.lane;

import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.Tables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Nodes that keep failing by the system's fault are set aside for a while, then tried again with one job. Payload failures do not
 * count, because a broken payload fails everywhere; and never are more than half of a pool's nodes set aside.
 */
final class Nodes {

    private final Lane lane;
    private final Map<String, NodeRecord> failing = new HashMap<>();

    Nodes(Lane lane) {
        this.lane = lane;
    }

    void restore(NodeRecord record) {
        failing.put(record.node(), record);
    }

    private NodeRecord of(String pilotId) {
        PilotEntry pilot = lane.pilots.find(pilotId);
        return failing.get(pilot == null ? pilotId : pilot.node());
    }

    /** Whether it gets work: not set aside, or due to be tried again. */
    boolean takes(String node) {
        NodeRecord record = failing.get(node);
        return record == null || record.setAsideUntil() <= lane.now;
    }

    /** Until when it is set aside, in milliseconds since 1970; 0 when it is not. */
    long setAsideUntil(String node) {
        NodeRecord record = failing.get(node);
        return record == null ? 0 : record.setAsideUntil();
    }

    /** Why a node may not have a job; null when it may. */
    String refusal(String node, String jobUid) {
        String why = unwanted(node, jobUid);
        NodeRecord record = failing.get(node);
        if (why == null && record != null && record.setAsideUntil() != 0) {
            put(new NodeRecord(node, record.pool(), record.failures(), record.setAsideUntil(), jobUid));
        }
        return why;
    }

    /**
     * Why a node would not be given another job; null when it would.
     *
     * @param jobUid the job that the pilot has, which may be the one that the node is tried with; null for none
     */
    String unwanted(String node, String jobUid) {
        NodeRecord record = failing.get(node);
        if (record == null || record.setAsideUntil() == 0) {
            return null;
        }
        if (lane.now < record.setAsideUntil()) {
            return "node " + node + " is set aside after " + record.failures() + " failures in a row";
        }
        String probe = record.probeJob();
        return probe != null && !probe.equals(jobUid) && runsAt(node, probe)
                ? "node " + node + " is tried again with job " + probe + " first"
                : null;
    }

    /** Whether the node has this job now. One that went elsewhere proves nothing about it, and must not keep it waiting. */
    private boolean runsAt(String node, String jobUid) {
        LiveJob job = lane.jobs.get(jobUid);
        if (job == null || !job.isStarted()) {
            return false;
        }
        PilotEntry pilot = lane.pilotsById.get(job.r.pilot);
        return node.equals(pilot == null ? job.r.pilot : pilot.node());
    }

    void failed(String pilotId, PoolEntry pool) {
        int after = lane.options.pilots().setAsideAfter();
        if (after == 0 || pilotId == null) {
            return;
        }
        PilotEntry pilot = lane.pilotsById.get(pilotId);
        String node = pilot == null ? pilotId : pilot.node();
        NodeRecord record = failing.get(node);
        int failures = record == null ? 1 : record.failures() + 1;
        boolean aside = failures >= after && mayBeSetAside(node);
        long until = aside ? lane.now + lane.options.pilots().setAside().toMillis() : 0;
        put(new NodeRecord(node, pool.name, failures, until, null));
        if (aside) {
            lane.pilots.recountNode(node);
            lane.wall.set(new Timer(() -> lane.pilots.recountNode(node)), until);
        }
    }

    /** Of no pool that it serves more than half of the nodes may be set aside. */
    private boolean mayBeSetAside(String candidate) {
        boolean known = false;
        for (PoolEntry pool : lane.pools.values()) {
            boolean serves = lane.pilotsById.values().stream()
                    .anyMatch(pilot -> pilot.node().equals(candidate) && Pilots.serves(pilot.r, pool.name));
            if (serves && !mayBeSetAside(pool, candidate)) {
                return false;
            }
            known |= serves;
        }
        return known;
    }

    private boolean mayBeSetAside(PoolEntry pool, String candidate) {
        Set<String> nodes = new HashSet<>();
        Set<String> aside = new HashSet<>();
        for (PilotEntry pilot : lane.pilotsById.values()) {
            if (pilot.r.state != null && Pilots.serves(pilot.r, pool.name)) {
                nodes.add(pilot.node());
                if (!takes(pilot.node())) {
                    aside.add(pilot.node());
                }
            }
        }
        aside.add(candidate);
        return aside.size() * 2 <= nodes.size();
    }

    void worked(String pilotId) {
        NodeRecord record = of(pilotId);
        if (record != null) {
            failing.remove(record.node());
            lane.writes.remove(Tables.NODE, record.node());
            if (record.setAsideUntil() != 0) {
                lane.pilots.recountNode(record.node());
            }
        }
    }

    private void put(NodeRecord record) {
        failing.put(record.node(), record);
        lane.writes.put(Tables.NODE, record.node(), record);
    }
}
