package dev.weir.simulator.truth;

import dev.weir.protocol.Heartbeat;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.options.PilotOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Nodes that fail so many times in a row by the system's fault, lost pilots included, are set aside for a while: their pilots hear
 * {@code drain} at once and at each heartbeat, and then {@code resume}; then the node is tried again with one job. A finished job ends the
 * row. Of no pool are more than half of the live nodes set aside. Where we can't know whether something counted, we keep what is sure
 * and what may be, and learn from what the pilots are told.
 */
final class Nodes {

    private static final String AFTER = "a node is set aside after so many failures in a row, and not before";

    /** No timer of the core is late by more. */
    private static final long TIMER_LATE_MILLIS = 1_000;

    private final State state;
    private final PilotOptions options;

    Nodes(State state) {
        this.state = state;
        options = state.scenario.options().pilots();
    }

    /** An attempt at this pilot failed by the system's fault. */
    void failed(String pilot, boolean sure) {
        if (options.setAsideAfter() == 0) {
            return;
        }
        List<NodeTruth> nodes = nodesOf(pilot);
        for (NodeTruth node : nodes) {
            state.nodes.putIfAbsent(node.name, node);
            boolean counts = sure && nodes.size() == 1;
            node.most++;
            node.least += counts ? 1 : 0;
            node.failedNow++;
            node.surelyFailedNow |= counts;
        }
    }

    /** The lease of this pilot on a job ran out. */
    void lost(String id, boolean sure) {
        PilotTruth pilot = state.pilots.get(id);
        if (pilot != null && pilot.surelyUntil <= state.clockBefore) {
            // It may have been forgotten before its job was lost, and with it where it was.
            pilot.isSure = false;
        }
        failed(id, sure);
    }

    /** A job at this pilot finished. */
    void worked(String pilot) {
        List<NodeTruth> nodes = nodesOf(pilot);
        for (NodeTruth node : nodes) {
            node.least = 0;
            node.workedNow = true;
            if (nodes.size() == 1) {
                node.most = 0;
                node.free();
            } else {
                node.surelyUntil = 0;
                node.doubtProbe();
            }
        }
    }

    private List<NodeTruth> nodesOf(String id) {
        PilotTruth pilot = state.pilots.get(id);
        List<NodeTruth> nodes = new ArrayList<>();
        nodes.add(node(pilot == null ? id : pilot.node()));
        if (pilot != null && !pilot.isSure && pilot.host != null) {
            nodes.add(node(id));
        }
        return nodes;
    }

    private NodeTruth node(String name) {
        NodeTruth known = state.nodes.get(name);
        return known == null ? new NodeTruth(name) : known;
    }

    /** A pilot has started a job: it is refused, or it may be the one that tries its node again. */
    void started(Context context, JobTruth job) {
        List<NodeTruth> nodes = nodesOf(context.pilot);
        NodeTruth node = nodes.get(0);
        boolean known = nodes.size() == 1 && !context.unsure;
        boolean perhaps = mayRefuse(context.pilot, job, context.now);
        context.mustStop = state.unwanted.contains(context.pilot)
                || known && (node.isSurelyAside(context.now) || isTriedWithAnother(node, job, context.now));
        if (!perhaps && known && node.isSurelyOnTrial(context.now)) {
            node.probeIs(job);
        } else if (!context.mustStop) {
            nodes.forEach(NodeTruth::doubtProbe);
        }
    }

    /** A pilot is found to have started a job, and in which order that counted we can't tell. */
    void startedPerhaps(String pilot) {
        nodesOf(pilot).forEach(NodeTruth::doubtProbe);
    }

    private boolean isTriedWithAnother(NodeTruth node, JobTruth job, long now) {
        JobTruth probe = node.probe;
        PilotTruth at = probe == null || probe.owner == null ? null : state.pilots.get(probe.owner);
        return node.isSurelyOnTrial(now)
                && at != null
                && probe != job
                && probe.is(Statuses.OWNED)
                && at.isSurelyAt(node.name)
                && at.isSurelyAlive(state.beatClock);
    }

    /** Whether a pilot may be refused this job; null: any. */
    boolean mayRefuse(String pilot, JobTruth job, long now) {
        return state.unwanted.contains(pilot)
                || nodesOf(pilot).stream()
                        .anyMatch(node -> node.mayBeAside(now)
                                || node.failedNow > 0 && (node.workedNow || node.most >= options.setAsideAfter())
                                || node.perhapsUntil != 0 && mayBeTriedWithAnother(node, job));
    }

    private boolean mayBeTriedWithAnother(NodeTruth node, JobTruth job) {
        JobTruth probe = node.probe;
        if (!node.isProbeKnown) {
            return runsAnother(node.name, job);
        }
        PilotTruth at = probe == null || probe.owner == null ? null : state.pilots.get(probe.owner);
        return probe != null && probe != job && probe.is(Statuses.OWNED) && (at == null || at.mayBeAt(node.name));
    }

    private boolean runsAnother(String node, JobTruth job) {
        for (TaskTruth task : state.tasks.values()) {
            if (task.count(Statuses.OWNED) > 0) {
                for (JobTruth other : task.jobs) {
                    PilotTruth at = other == job || other.owner == null ? null : state.pilots.get(other.owner);
                    if (other != job && other.is(Statuses.OWNED) && (at == null || at.mayBeAt(node))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    void end(Context context) {
        if (options.setAsideAfter() > 0) {
            for (NodeTruth node : state.nodes.values()) {
                if (node.failedNow > 0 && (node.workedNow || Notices.isTakenUp(context))) {
                    node.doubt(context.now + options.setAside().toMillis());
                } else if (node.failedNow > 0) {
                    learn(node, context);
                }
            }
            for (NodeTruth node : state.nodes.values()) {
                if (node.isSurelyAside(context.now)) {
                    beforeTime(node, context);
                }
            }
            for (NodeTruth node : state.nodes.values()) {
                judge(node, context);
            }
            state.pools.keySet().forEach(pool -> half(pool, context));
        }
        steered(context);
    }

    /** What its pilots were told shows whether it is set aside. */
    private void learn(NodeTruth node, Context context) {
        boolean told = state.pilots.values().stream()
                .anyMatch(pilot -> pilot.isSurelyAt(node.name)
                        && context.drained.contains(pilot.id)
                        && !state.unwanted.contains(pilot.id));
        boolean wouldBeTold = state.pilots.values().stream()
                .anyMatch(pilot -> isSurelyThere(pilot, node) && !state.unwanted.contains(pilot.id));
        if (told) {
            Violation.check(
                    node.most >= options.setAsideAfter(),
                    AFTER,
                    node.name,
                    "was set aside after",
                    node.most,
                    "failures");
            node.setAside(context.now + options.setAside().toMillis());
        } else if (node.surelyFailedNow && (wouldBeTold || node.most < options.setAsideAfter())) {
            node.free();
        } else if (node.most >= options.setAsideAfter()) {
            node.doubt(context.now + options.setAside().toMillis());
        } else {
            node.doubt(node.perhapsUntil);
        }
    }

    /** When too many others of a pool have gone, it is tried again before its time, and its pilots are told. */
    private void beforeTime(NodeTruth node, Context context) {
        boolean told = state.pilots.values().stream()
                .anyMatch(pilot -> isSurelyThere(pilot, node) && context.resumed.contains(pilot.id));
        boolean wouldBeTold = state.pilots.values().stream()
                .anyMatch(pilot -> isSurelyThere(pilot, node) && !state.unwanted.contains(pilot.id));
        if (told) {
            Violation.check(
                    !mustBeAllowed(node, context),
                    "a node is set aside for so long, unless too many others go",
                    node.name,
                    "was tried again",
                    node.surelyUntil - context.now,
                    "ms before its time");
            node.tryNow(context.now);
        } else if (!wouldBeTold && !mustBeAllowed(node, context)) {
            node.mayBeTriedNow();
        }
    }

    private boolean isSurelyThere(PilotTruth pilot, NodeTruth node) {
        return pilot.isSurelyAt(node.name) && pilot.isSurelyAlive(state.beatClock);
    }

    private void judge(NodeTruth node, Context context) {
        boolean failed = node.failedNow > 0;
        boolean surely = node.surelyFailedNow;
        node.failedNow = 0;
        node.surelyFailedNow = false;
        node.workedNow = false;
        List<PilotTruth> there = new ArrayList<>();
        if (failed || node.isResumeDue) {
            state.pilots.values().stream()
                    .filter(pilot -> isSurelyThere(pilot, node))
                    .forEach(there::add);
        }
        if (surely && node.least >= options.setAsideAfter() && !there.isEmpty() && mustBeAllowed(node, context)) {
            for (PilotTruth pilot : there) {
                Violation.check(
                        context.drained.contains(pilot.id),
                        AFTER,
                        pilot.id,
                        "at",
                        node.name,
                        "was not told after",
                        node.least,
                        "failures");
            }
        }
        if (context.event instanceof Event.Tick && node.isResumeDue && node.isSurelyOnTrial(context.now)) {
            node.isResumeDue = false;
            for (PilotTruth pilot : there) {
                Violation.check(
                        context.drained.contains(pilot.id) || context.resumed.contains(pilot.id),
                        "pilots hear that the time of their node is over",
                        pilot.id,
                        "at",
                        node.name);
            }
        }
    }

    private void half(String pool, Context context) {
        Set<String> nodes = new HashSet<>();
        Set<String> aside = new HashSet<>();
        for (PilotTruth pilot : state.pilots.values()) {
            if (pilot.mayBeAlive(state.beatClock) && (pilot.pools.contains(pool) || !pilot.isSure)) {
                nodes.add(pilot.node());
                nodes.add(pilot.isSure ? pilot.node() : pilot.id);
                if (pilot.isSurelyAlive(state.beatClock) && node(pilot).isSurelyAside(context.now)) {
                    aside.add(pilot.node());
                }
            }
        }
        Violation.check(
                aside.size() * 2 <= nodes.size(),
                "never are more than half of a pool's nodes set aside",
                "of pool",
                pool,
                aside,
                "and there are",
                nodes);
    }

    private NodeTruth node(PilotTruth pilot) {
        return node(pilot.node());
    }

    /** Whether its pools surely have enough nodes left. */
    private boolean mustBeAllowed(NodeTruth node, Context context) {
        for (String pool : state.pools.keySet()) {
            Set<String> nodes = new HashSet<>();
            Set<String> aside = new HashSet<>();
            aside.add(node.name);
            boolean serves = false;
            for (PilotTruth pilot : state.pilots.values()) {
                boolean here = pilot.pools.contains(pool) || !pilot.isSure;
                if (here && pilot.isSurelyAlive(state.beatClock)) {
                    nodes.add(pilot.node());
                }
                // Until the core's timer has come, one whose time is over still counts as set aside.
                if (here) {
                    nodesOf(pilot.id).stream()
                            .filter(at -> at.mayBeAside(context.now - TIMER_LATE_MILLIS))
                            .forEach(at -> aside.add(at.name));
                }
                serves |= here && pilot.mayBeAt(node.name);
            }
            if (serves && aside.size() * 2 > nodes.size()) {
                return false;
            }
        }
        return true;
    }

    /** Who was told to take nothing, or to take jobs again. */
    private void steered(Context context) {
        for (String pilot : context.drained) {
            // Its node may have been set aside and, because others went in the same event, taken back; a pilot that
            // went with them is
            // not told.
            PilotTruth told = state.pilots.get(pilot);
            Violation.check(
                    Notices.isTakenUp(context)
                            || context.resumed.contains(pilot)
                            || told == null
                            || !told.isSurelyAlive(state.beatClock)
                            || mayRefuse(pilot, null, context.now),
                    "a pilot that works for us is not stopped",
                    pilot,
                    "was drained after",
                    context.event);
        }
        for (String id : context.resumed) {
            PilotTruth pilot = state.pilots.get(id);
            // Of one that is silent for long the core knows no more than that it was excluded.
            boolean aside = pilot != null
                    && isSurelyThere(pilot, node(pilot))
                    && node(pilot).isSurelyAside(context.now);
            Violation.check(
                    Notices.isTakenUp(context) || !aside && !state.unwanted.contains(id),
                    "a pilot that may take nothing hears so at each heartbeat",
                    id,
                    "was told to take jobs after",
                    context.event);
        }
        if (context.event instanceof Event.ReportArrived arrived
                && arrived.report() instanceof Heartbeat heartbeat
                && context.refusal == Context.Refusal.NEVER) {
            PilotTruth pilot = state.pilots.get(heartbeat.pilotId());
            boolean aside = pilot != null && pilot.isSure && node(pilot).isSurelyAside(context.now);
            Violation.check(
                    !aside && !state.unwanted.contains(heartbeat.pilotId())
                            || context.drained.contains(heartbeat.pilotId()),
                    "a pilot that may take nothing hears so at each heartbeat",
                    heartbeat);
        }
    }

    /** Pilots that may take nothing do not count among those that a pool has. */
    void audit(SchedulerMetrics metrics, long now) {
        for (PoolTruth pool : state.pools.values()) {
            int least = 0;
            int most = 0;
            for (PilotTruth pilot : state.pilots.values()) {
                boolean may = !pilot.isSure
                        || pilot.pools.contains(pool.name)
                                && !pilot.draining
                                && !state.unwanted.contains(pilot.id)
                                && !node(pilot).isSurelyAside(now);
                most += may && pilot.mayBeAlive(state.beatClock) ? 1 : 0;
                least += may
                                && pilot.isSurelyAlive(state.beatClock)
                                && !node(pilot).mayBeAside(now)
                                && !node(pilot).isResumeDue
                        ? 1
                        : 0;
            }
            long told = metrics.pools().get(pool.name).pilots();
            Violation.check(
                    least <= told && told <= most,
                    "only pilots that may take work count in a pool",
                    pool.name,
                    "has from",
                    least,
                    "to",
                    most,
                    "but tells",
                    told);
        }
    }
}
