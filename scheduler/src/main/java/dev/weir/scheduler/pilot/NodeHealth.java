package dev.weir.scheduler.pilot;

import dev.weir.engine.Timer;
import dev.weir.scheduler.model.KnownPilot;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.TimerKind;
import dev.weir.scheduler.model.WorkerNode;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.Tables;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Nodes that keep failing by the system's fault are set aside for a while, then tried again with one job. Payload failures do not
 * count, because a broken payload fails everywhere. Never are more than half of a pool's nodes set aside: when others go, the nodes that
 * have been set aside for longest are tried again before their time.
 *
 * <p>A node may never come back: a batch system gives each of its nodes a new name. So failures are forgotten a day after the node could
 * have been tried again, and no more failing nodes are remembered than {@code max-pilots}.
 */
public final class NodeHealth {

    /** After this, and the time for which a node is set aside, its failures in a row say nothing about it any more. */
    private static final long REMEMBERED_MILLIS = 24 * 3_600_000L;
    /** After a restore the failures of all nodes are equally old. */
    private static final int FORGOTTEN_AT_ONCE = 1_000;

    private final Lane lane;
    private final Map<String, WorkerNode> byName = new HashMap<>();
    /** Nodes with a record, the one whose record is oldest first. */
    private final LinkedHashSet<WorkerNode> failing = new LinkedHashSet<>();

    private final Timer forgetting = new Timer(TimerKind.FORGET_NODES, this);
    /** Nodes that are set aside, the oldest first. */
    private final LinkedHashSet<WorkerNode> setAside = new LinkedHashSet<>();
    /** Pools of which more than half of the nodes may be set aside since the event began. */
    private final Set<Pool> toCheck = new LinkedHashSet<>();
    /** Nodes that were set aside in this event, or are no longer. */
    private final Set<WorkerNode> turned = new LinkedHashSet<>();

    public NodeHealth(Lane lane) {
        this.lane = lane;
    }

    /** After a restore, before the pilots. How old the record is does not stand in it: its time begins anew. */
    public void restore(NodeRecord stored) {
        NodeRecord record = healed(stored);
        WorkerNode node = node(record.node());
        node.failing = record;
        remember(node);
        if (record.setAsideUntil() > lane.now()) {
            node.restoredAside();
            setAside.add(node);
        }
        // Also when that is over: its pilots may not have been notified.
        if (record.setAsideUntil() != 0) {
            lane.timers.set(node.back, record.setAsideUntil());
        }
    }

    /** A clock that was far ahead sets no node aside for longer than it may be. */
    private NodeRecord healed(NodeRecord stored) {
        long latest = lane.now() + lane.options.pilots().setAside().toMillis();
        if (stored.setAsideUntil() <= latest) {
            return stored;
        }
        NodeRecord record = new NodeRecord(stored.node(), stored.pool(), stored.failures(), latest, stored.probeJob());
        lane.work.put(Tables.NODE, record.node(), record);
        return record;
    }

    private WorkerNode node(String name) {
        return byName.computeIfAbsent(name, missing -> new WorkerNode(missing, lane.pools.size()));
    }

    /** Where a pilot is, and which pools it serves while it lives; none when it does not live. */
    void count(KnownPilot pilot, List<Pool> served) {
        WorkerNode before = pilot.node;
        boolean moves = before == null || !before.name.equals(pilot.nodeName());
        if (!moves && served.equals(pilot.liveIn)) {
            return;
        }
        for (Pool pool : pilot.liveIn) {
            before.count(pool, -1);
            toCheck.add(pool);
        }
        if (moves) {
            if (before != null) {
                leave(pilot);
            }
            pilot.node = node(pilot.nodeName());
            pilot.node.pilots.add(pilot);
        }
        pilot.liveIn = served;
        for (Pool pool : served) {
            pilot.node.count(pool, 1);
            toCheck.add(pool);
        }
    }

    /** A pilot is not known any more. */
    void gone(KnownPilot pilot) {
        if (pilot.node != null) {
            count(pilot, List.of());
            leave(pilot);
        }
    }

    private void leave(KnownPilot pilot) {
        WorkerNode node = pilot.node;
        node.pilots.remove(pilot);
        pilot.node = null;
        dropIfUnused(node);
    }

    private void dropIfUnused(WorkerNode node) {
        if (node.failing == null && node.pilots.isEmpty()) {
            byName.remove(node.name);
        }
    }

    /** At the end of an event: nodes of its pools may have gone, or a node that is set aside may have come back. */
    public void keepHalf() {
        if (!toCheck.isEmpty()) {
            for (Pool pool : lane.pools.values()) {
                while (toCheck.contains(pool) && isMoreThanHalf(pool, pool.nodesAside)) {
                    tryBeforeTime(pool);
                }
            }
            toCheck.clear();
        }
    }

    private static boolean isMoreThanHalf(Pool pool, int nodes) {
        return nodes * 2 > pool.nodes;
    }

    private void tryBeforeTime(Pool pool) {
        for (WorkerNode node : setAside) {
            if (node.serves(pool)) {
                NodeRecord record = node.failing;
                put(new NodeRecord(node.name, record.pool(), record.failures(), lane.now(), null));
                lane.timers.clear(node.back);
                updateAside(node);
                return;
            }
        }
        throw new IllegalStateException("pool " + pool.name + " counts " + pool.nodesAside + " nodes as set aside");
    }

    /** What is known of nodes that fail. */
    public List<NodeRecord> records() {
        return failing.stream().map(node -> node.failing).toList();
    }

    private NodeRecord failing(String name) {
        WorkerNode node = byName.get(name);
        return node == null ? null : node.failing;
    }

    /** Whether it gets work: not set aside, or due to be tried again. */
    boolean takes(String name) {
        NodeRecord record = failing(name);
        return record == null || record.setAsideUntil() <= lane.now();
    }

    /**
     * Why a node may not have a job; null when it may. The first job of a node that is tried again becomes its probe. Others follow when
     * its program runs: a job may take days, and most faults of a node show before.
     */
    String refusal(String name, String jobUid) {
        String why = unwanted(name, jobUid);
        NodeRecord record = failing(name);
        boolean isTried = record != null && record.setAsideUntil() != 0;
        if (why == null && isTried && !hasProbe(record)) {
            put(new NodeRecord(name, record.pool(), record.failures(), record.setAsideUntil(), jobUid));
        }
        return why;
    }

    /**
     * Why a node would not be given another job; null when it would.
     *
     * @param jobUid the job of the pilot, which may be the probe of the node; null for none
     */
    String unwanted(String name, String jobUid) {
        NodeRecord record = failing(name);
        if (record == null || record.setAsideUntil() == 0) {
            return null;
        }
        if (lane.now() < record.setAsideUntil()) {
            return "node " + name + " is set aside after " + record.failures() + " failures in a row";
        }
        String probe = record.probeJob();
        return hasProbe(record) && !probe.equals(jobUid) && lane.jobs.get(probe).record.phase == Phase.STARTING
                ? "node " + name + " is tried again with job " + probe + " first"
                : null;
    }

    /** Whether a node has its probe now. A probe that went elsewhere proves nothing about the node, and must not keep it waiting. */
    private boolean hasProbe(NodeRecord record) {
        LiveJob probe = record.probeJob() == null ? null : lane.jobs.get(record.probeJob());
        return probe != null && probe.isStarted() && record.node().equals(nameOf(probe.record.pilot));
    }

    /** The program of a job runs: if the job is the probe of its node, the node's other pilots may take jobs too. */
    void runs(LiveJob job) {
        WorkerNode node = failing.isEmpty() ? null : byName.get(nameOf(job.record.pilot));
        if (node != null && node.failing != null && job.record.uid.equals(node.failing.probeJob())) {
            turned.add(node);
        }
    }

    /** The node of a pilot; its own name when it is not known. */
    private String nameOf(String pilotId) {
        KnownPilot pilot = lane.pilots.get(pilotId);
        return pilot == null ? pilotId : pilot.nodeName();
    }

    /** An attempt of a pilot has failed by the system's fault. */
    public void failed(String pilotId, Pool pool) {
        int after = lane.options.pilots().setAsideAfter();
        if (after == 0 || pilotId == null) {
            return;
        }
        String name = nameOf(pilotId);
        NodeRecord record = failing(name);
        int failures = record == null ? 1 : record.failures() + 1;
        WorkerNode node = node(name);
        boolean aside = failures >= after && mayBeSetAside(node);
        long until = aside ? lane.now() + lane.options.pilots().setAside().toMillis() : 0;
        put(new NodeRecord(name, pool.name, failures, until, null));
        if (aside) {
            lane.timers.set(node.back, until);
        }
        if (aside || record != null && record.setAsideUntil() != 0) {
            updateAside(node);
        }
    }

    /** Of no pool that it serves more than half of the nodes may be set aside. */
    private boolean mayBeSetAside(WorkerNode node) {
        boolean serves = false;
        for (Pool pool : lane.pools.values()) {
            if (node.serves(pool)) {
                serves = true;
                if (isMoreThanHalf(pool, pool.nodesAside + (node.isAside() ? 0 : 1))) {
                    return false;
                }
            }
        }
        return serves;
    }

    /** An attempt of a pilot has finished. */
    public void worked(String pilotId) {
        WorkerNode node = failing.isEmpty() ? null : byName.get(nameOf(pilotId));
        if (node != null && node.failing != null) {
            forget(node);
        }
    }

    /** It is set aside from now on, or no longer. */
    public void updateAside(WorkerNode node) {
        boolean takes = takes(node.name);
        node.countAside(!takes, lane.pools.values());
        setAside.remove(node);
        if (!takes) {
            setAside.add(node);
        }
        turned.add(node);
    }

    /** Removes and returns the nodes that were set aside in this event, or are no longer: their pilots are to be notified. */
    List<WorkerNode> takeTurned() {
        if (turned.isEmpty()) {
            return List.of();
        }
        List<WorkerNode> taken = List.copyOf(turned);
        turned.clear();
        return taken;
    }

    private void put(NodeRecord record) {
        WorkerNode node = node(record.node());
        node.failing = record;
        lane.work.put(Tables.NODE, record.node(), record);
        remember(node);
        while (failing.size() > lane.options.pilots().maxPilots()) {
            lane.counters.ignored("failing node");
            forget(failing.iterator().next());
        }
    }

    private void remember(WorkerNode node) {
        node.changedAt = lane.now();
        failing.remove(node);
        failing.add(node);
        if (!forgetting.isSet()) {
            lane.timers.set(forgetting, forgetAt(node));
        }
    }

    private long forgetAt(WorkerNode node) {
        return node.changedAt + lane.options.pilots().setAside().toMillis() + REMEMBERED_MILLIS;
    }

    /** The timer of the oldest failures is due. */
    public void forgetOld() {
        for (int i = 0; !failing.isEmpty(); i++) {
            WorkerNode oldest = failing.iterator().next();
            if (i == FORGOTTEN_AT_ONCE || forgetAt(oldest) > lane.now()) {
                lane.timers.set(forgetting, forgetAt(oldest));
                return;
            }
            if (hasProbe(oldest.failing)) {
                // A long job, and what comes of it is still to be seen.
                remember(oldest);
            } else {
                forget(oldest);
            }
        }
    }

    private void forget(WorkerNode node) {
        boolean wasAside = node.failing.setAsideUntil() != 0;
        node.failing = null;
        failing.remove(node);
        lane.work.remove(Tables.NODE, node.name);
        if (wasAside) {
            lane.timers.clear(node.back);
            updateAside(node);
        }
        dropIfUnused(node);
    }
}
