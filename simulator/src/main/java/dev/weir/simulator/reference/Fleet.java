package dev.weir.simulator.reference;

import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.simulator.reference.RefJob.Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which pilots live, and which may take jobs. A node is set aside after {@code set-aside-after} failures in a row by the system's fault, as long as no
 * pool has more than half of its live nodes set aside; then it is tried with one job. A job that finishes there ends the row.
 */
final class Fleet {

    private static final class Pilot {
        final String id;
        /** In which order it came to its node. */
        long joined;

        String host;
        Set<String> pools = Set.of();
        boolean toldPools;
        boolean isLive;
        boolean isDraining;
        boolean isWanted = true;
        long steeredAt;
        long leaseUntil;
        String jobUid;

        Pilot(String id) {
            this.id = id;
        }

        String node() {
            return host == null ? id : host;
        }
    }

    /** A node at which something failed. */
    private static final class Node {
        int failures;
        /** Milliseconds since 1970; 0 when it was not set aside. */
        long until;
        /** Whether it counts as set aside: until the tick that comes at its time. */
        boolean isAside;

        /** When its pilots hear again; 0 for never. */
        long timedAt;

        /** When it was set aside or taken back last, in order. */
        long order;

        String probe;
    }

    private final Model model;
    private final Map<String, Pilot> pilots = new LinkedHashMap<>();
    private final Map<String, Long> steeredAt = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Set<String> poolsChanged = new LinkedHashSet<>();
    /** Nodes that were set aside in this event, or are no longer. */
    private final Set<String> turned = new HashSet<>();

    private long orders;

    Fleet(Model model) {
        this.model = model;
    }

    private Pilot pilot(String id) {
        return pilots.computeIfAbsent(id, name -> {
            Pilot made = new Pilot(name);
            made.steeredAt = steeredAt.getOrDefault(name, 0L);
            return made;
        });
    }

    private String nodeOf(String pilot) {
        Pilot known = pilots.get(pilot);
        return known == null ? pilot : known.node();
    }

    private Node node(String name) {
        return nodes.computeIfAbsent(name, unknown -> new Node());
    }

    void heard(Heartbeat heartbeat) {
        Pilot pilot = pilot(heartbeat.pilotId());
        Set<String> pools = new LinkedHashSet<>(heartbeat.pools());
        pools.add(heartbeat.pool());
        if (!heartbeat.node().host().equals(pilot.host)) {
            // What was heard of it before did not say where it is.
            poolsChanged.addAll(pilot.pools);
        }
        pilot.host = heartbeat.node().host();
        pilot.toldPools = true;
        pilot.isDraining = heartbeat.state() == PilotState.DRAINING;
        pilot.jobUid = heartbeat.jobUid();
        lives(pilot, pools);
        drainIfUnwanted(pilot);
    }

    /** @param jobUid null when it has ended one */
    void heard(String id, String pool, String jobUid) {
        Pilot pilot = pilot(id);
        pilot.jobUid = jobUid;
        pilot.isDraining &= pilot.isLive;
        lives(pilot, pilot.toldPools ? pilot.pools : Set.of(pool));
    }

    private void lives(Pilot pilot, Set<String> pools) {
        if (!pilot.isLive || !pilot.pools.equals(pools)) {
            poolsChanged.addAll(pilot.pools);
            poolsChanged.addAll(pools);
        }
        pilot.pools = pools;
        pilot.isLive = true;
        pilot.leaseUntil = model.beatClock + model.options.pilots().lease().toMillis();
    }

    /** Pilots that were not heard for a lease are forgotten, but for what was commanded about them. */
    void expire() {
        for (Pilot pilot : List.copyOf(pilots.values())) {
            if (pilot.isLive && pilot.leaseUntil <= model.beatClock) {
                pilot.isLive = false;
                pilot.jobUid = null;
                poolsChanged.addAll(pilot.pools);
                forgetIfSilent(pilot);
            }
        }
    }

    private void forgetIfSilent(Pilot pilot) {
        if (!pilot.isLive && pilot.isWanted) {
            pilots.remove(pilot.id);
            steeredAt.put(pilot.id, pilot.steeredAt);
        }
    }

    /** Whether a pilot takes jobs of the pool. */
    boolean serve(RefPool pool) {
        return pilots.values().stream()
                .anyMatch(pilot -> pilot.isLive
                        && pilot.isWanted
                        && !pilot.isDraining
                        && pilot.pools.contains(pool.name)
                        && !isAside(pilot.node()));
    }

    private boolean isAside(String node) {
        return nodes.containsKey(node) && nodes.get(node).isAside;
    }

    private Set<String> nodesOf(String pool) {
        Set<String> names = new HashSet<>();
        pilots.values().stream()
                .filter(pilot -> pilot.isLive && pilot.pools.contains(pool))
                .forEach(pilot -> names.add(pilot.node()));
        return names;
    }

    private long asideIn(String pool) {
        return nodesOf(pool).stream().filter(this::isAside).count();
    }

    /** A job failed at this pilot by the system's fault, or was lost with it. */
    void failed(String pilot) {
        int after = model.options.pilots().setAsideAfter();
        if (after == 0) {
            return;
        }
        String name = nodeOf(pilot);
        Node node = node(name);
        boolean was = node.until != 0;
        node.failures++;
        node.probe = null;
        boolean aside = node.failures >= after && mayBeSetAside(name, node);
        node.until = aside ? model.now + model.options.pilots().setAside().toMillis() : 0;
        node.timedAt = aside ? node.until : node.timedAt;
        if (aside || was) {
            settle(name, node);
        }
    }

    private boolean mayBeSetAside(String name, Node node) {
        List<String> served = model.pools.keySet().stream()
                .filter(pool -> nodesOf(pool).contains(name))
                .toList();
        return !served.isEmpty()
                && served.stream()
                        .allMatch(pool -> (asideIn(pool) + (node.isAside ? 0 : 1)) * 2
                                <= nodesOf(pool).size());
    }

    /** A job finished at this pilot. */
    void worked(String pilot) {
        String name = nodeOf(pilot);
        Node node = node(name);
        node.failures = 0;
        node.probe = null;
        if (node.until != 0) {
            node.until = 0;
            node.timedAt = 0;
            settle(name, node);
        }
    }

    /** A node is set aside from now on, or no longer. */
    private void settle(String name, Node node) {
        node.isAside = node.until > model.now;
        node.order = ++orders;
        turned.add(name);
    }

    /** At the end of an event: half of the nodes are kept, and pilots that are still known hear what has become of their nodes. */
    void settle() {
        keepHalf();
        pilots.values().stream().filter(pilot -> turned.contains(pilot.node())).forEach(this::steer);
        turned.clear();
    }

    private void steer(Pilot pilot) {
        if (!drainIfUnwanted(pilot)) {
            model.tell(pilot.id, Notice.Kind.RESUME);
        }
    }

    private boolean drainIfUnwanted(Pilot pilot) {
        boolean unwanted = !pilot.isWanted || isRefused(pilot.node(), pilot.jobUid);
        if (unwanted) {
            model.tell(pilot.id, Notice.Kind.DRAIN);
        }
        return unwanted;
    }

    /** Whether a node may not have a job, or another one than it has. */
    private boolean isRefused(String name, String jobUid) {
        Node node = nodes.get(name);
        if (node == null || node.until == 0) {
            return false;
        }
        RefJob probe = probe(name);
        boolean isTried = probe != null && !node.probe.equals(jobUid) && probe.phase == RefJob.Phase.STARTING;
        return model.now < node.until || isTried;
    }

    /** The probe of a node, while the node has it. */
    private RefJob probe(String name) {
        Node node = nodes.get(name);
        RefJob probe = node == null || node.probe == null ? null : model.jobs.get(node.probe);
        return probe != null && probe.phase.isStarted() && name.equals(nodeOf(probe.pilot)) ? probe : null;
    }

    /** The program of a job runs: when it is the probe of its node, the others of that node hear that they may take jobs. */
    void runs(RefJob job) {
        String name = nodeOf(job.pilot);
        if (nodes.containsKey(name) && job.uid.equals(nodes.get(name).probe)) {
            turned.add(name);
        }
    }

    boolean isDraining(String pilot) {
        Pilot known = pilots.get(pilot);
        return known != null && known.isDraining;
    }

    /** A pilot has started this job: it may have it, or is told to stop it. */
    void started(RefJob job) {
        Pilot pilot = pilots.get(job.pilot);
        boolean refused = !pilot.isWanted || isRefused(pilot.node(), job.uid);
        Node node = nodes.get(pilot.node());
        if (!refused && node != null && node.until != 0 && probe(pilot.node()) == null) {
            node.probe = job.uid;
        }
        if (refused) {
            job.order = job.order == Order.CANCEL ? Order.CANCEL : Order.KILL;
            drainIfUnwanted(pilot);
        }
    }

    /** Nodes whose time is over are tried again. */
    void tick() {
        nodes.entrySet().stream()
                .filter(entry -> entry.getValue().timedAt != 0 && entry.getValue().timedAt <= model.now)
                .sorted(Comparator.comparingLong(entry -> entry.getValue().timedAt))
                .toList()
                .forEach(entry -> {
                    entry.getValue().timedAt = 0;
                    settle(entry.getKey(), entry.getValue());
                });
    }

    /** When others have gone, the nodes that were set aside first are tried again before their time. */
    private void keepHalf() {
        for (String pool : model.pools.keySet()) {
            while (poolsChanged.contains(pool)
                    && asideIn(pool) * 2 > nodesOf(pool).size()) {
                String name = nodesOf(pool).stream()
                        .filter(this::isAside)
                        .min(Comparator.comparingLong(node -> nodes.get(node).order))
                        .orElseThrow();
                Node node = nodes.get(name);
                node.until = model.now;
                node.probe = null;
                node.timedAt = 0;
                settle(name, node);
            }
        }
        poolsChanged.clear();
    }

    void command(Command.PilotAction command, long at) {
        String id = command.pilotId();
        Pilot known = pilots.get(id);
        if (at < (known == null ? steeredAt.getOrDefault(id, 0L) : known.steeredAt)) {
            return;
        }
        Pilot pilot = pilot(id);
        pilot.steeredAt = at;
        pilot.isWanted = command.type() == Command.Type.PILOT_INCLUDE;
        if (command.type() == Command.Type.PILOT_EXCLUDE) {
            started(id).filter(job -> job.order == Order.NONE).forEach(job -> {
                job.order = Order.KILL;
                model.tell(job, id, job.attempt, Notice.Kind.KILL);
            });
        }
        steer(pilot);
        forgetIfSilent(pilot);
    }

    private Stream<RefJob> started(String pilot) {
        return new ArrayList<>(model.jobs.values())
                .stream().filter(job -> job.phase.isStarted() && pilot.equals(job.pilot));
    }
}
