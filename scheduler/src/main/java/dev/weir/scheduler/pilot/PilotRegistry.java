package dev.weir.scheduler.pilot;

import dev.weir.engine.Refused;
import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.model.KnownPilot;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.WorkerNode;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.PilotRecord.Use;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which pilots live, and which of them may take work. */
public final class PilotRegistry {

    private final Lane lane;
    private final NodeHealth nodes;
    private final PilotOrders orders;
    private String lastId;
    private KnownPilot lastFound;
    /**
     * Pilots that are drained or excluded and not heard, the oldest by last report or command first. They take no room
     * from live pilots.
     */
    private final LinkedHashSet<KnownPilot> absent = new LinkedHashSet<>();

    private final UnknownLoads ofUnknown;

    public PilotRegistry(Lane lane, NodeHealth nodes, Notices notices) {
        this.lane = lane;
        this.nodes = nodes;
        orders = new PilotOrders(lane, nodes, notices);
        ofUnknown = new UnknownLoads(lane.pools.size());
    }

    /** A pilot without a job was heard. */
    public void heardIdle(Heartbeat heartbeat) {
        Pool pool = lane.pools.get(heartbeat.pool());
        if (pool == null) {
            throw new Refused("pool", "there is no pool '" + heartbeat.pool() + "'");
        }
        KnownPilot pilot = findOrAdd(heartbeat.pilotId());
        if (pilot == null) {
            notRemembered(pool);
            heartbeat.pools().forEach(name -> notRemembered(lane.pools.get(name)));
            return;
        }
        says(pilot, heartbeat);
        recount(pilot);
        orders.drainIfUnwanted(pilot);
    }

    /** A pilot with a job was heard by its heartbeat. */
    public void heardBusy(Heartbeat heartbeat) {
        KnownPilot pilot = findOrAdd(heartbeat.pilotId());
        if (pilot == null) {
            notRemembered(lane.pools.get(heartbeat.pool()));
            return;
        }
        says(pilot, heartbeat);
        orders.drainIfUnwanted(pilot);
        recount(pilot);
    }

    /**
     * A pilot was heard by what it reported about a job.
     *
     * @param jobUid the job that it has now; null after a result
     */
    public void heard(String id, String pool, String jobUid) {
        KnownPilot pilot = findOrAdd(id);
        if (pilot == null) {
            notRemembered(lane.pools.get(pool));
            return;
        }
        PilotRecord r = pilot.record;
        boolean isNew = r.state == null;
        r.pool = pool;
        r.jobUid = jobUid;
        if (r.state != PilotState.DRAINING) {
            r.state = jobUid == null ? PilotState.IDLE : PilotState.BUSY;
        }
        renew(pilot);
        if (isNew) {
            lane.changed(pilot);
        }
        recount(pilot);
    }

    private void notRemembered(Pool pool) {
        if (pool != null && !pool.hasUnknownPilots) {
            pool.hasUnknownPilots = true;
            lane.agenda.pilotsChanged(pool);
        }
    }

    /** The pilot; null when it is not known. One report asks several times for the same one, by the same object. */
    private KnownPilot find(String id) {
        if (id != lastId) {
            lastFound = lane.pilots.get(id);
            lastId = lastFound == null ? null : id;
        }
        return lastFound;
    }

    private KnownPilot findOrAdd(String id) {
        KnownPilot known = find(id);
        if (known != null) {
            return known;
        }
        if (live() >= lane.options.pilots().maxPilots()) {
            lane.counters.ignored("pilot");
            return null;
        }
        return add(id);
    }

    /** How many are heard. */
    public int live() {
        return lane.pilots.size() - absent.size();
    }

    private KnownPilot add(String id) {
        PilotRecord record = new PilotRecord();
        record.id = id;
        record.useCommandAt = lane.seen.pilotCommandAt(id);
        return add(record);
    }

    private KnownPilot add(PilotRecord record) {
        KnownPilot pilot = new KnownPilot(record, ofUnknown.take(record.id));
        lane.pilots.put(record.id, pilot);
        return pilot;
    }

    /** A pilot, known or not, is now the owner of this job. */
    public void started(LiveJob job) {
        String id = job.record.pilot;
        KnownPilot pilot = find(id);
        job.owner = pilot != null ? pilot.load : ofUnknown.of(id);
        job.owner.add(job.pool(), 1);
    }

    /** The program of a job runs. */
    public void runs(LiveJob job) {
        nodes.runs(job);
    }

    /** Whether a pilot has said that it takes no further job. */
    public boolean isDraining(String id) {
        KnownPilot pilot = find(id);
        return pilot != null && pilot.record.state == PilotState.DRAINING;
    }

    /** A job that was started is over. */
    public void landed(LiveJob job) {
        job.owner.add(job.pool(), -1);
        ofUnknown.dropIfNone(job.record.pilot, job.owner);
        job.owner = null;
    }

    private void says(KnownPilot pilot, Heartbeat heartbeat) {
        PilotRecord r = pilot.record;
        r.pool = heartbeat.pool();
        r.pools = configured(heartbeat.pools());
        r.device = heartbeat.device();
        if (heartbeat.node() != null) {
            r.host = heartbeat.node().host();
            r.cores = heartbeat.node().cores();
            r.memory = heartbeat.node().memory();
            r.gpus = heartbeat.node().gpus();
        }
        r.state = heartbeat.state();
        r.jobUid = heartbeat.jobUid();
        renew(pilot);
        lane.changed(pilot);
    }

    /** Other pools have no tasks, and their names would only take memory. */
    private List<String> configured(List<String> names) {
        List<String> known = new ArrayList<>(names.size());
        for (String name : names) {
            Pool pool = lane.pools.get(name);
            if (pool != null) {
                known.add(pool.name);
            }
        }
        return List.copyOf(known);
    }

    private void renew(KnownPilot pilot) {
        pilot.record.lastSeenAt = lane.now();
        pilot.record.leaseUntil = lane.leaseUntil();
        lane.leaseClock.set(pilot.lease, Lane.PILOT_LEASES, pilot.record.leaseUntil);
        if (!absent.isEmpty()) {
            absent.remove(pilot);
        }
    }

    /** After a restore, and after the jobs. */
    public void restore(PilotRecord record) {
        KnownPilot pilot = add(record);
        if (record.state == null) {
            absent.add(pilot);
        } else {
            lane.leaseClock.set(pilot.lease, Lane.PILOT_LEASES, record.leaseUntil);
        }
        recount(pilot);
        if (record.use == Use.EXCLUDE && !pilot.load.isNone()) {
            orders.stopJobsLater(pilot);
        }
    }

    /** Counts the pilot where it may take work. */
    private void recount(KnownPilot pilot) {
        PilotRecord r = pilot.record;
        List<Pool> served = pilot.gone || r.state == null ? List.of() : served(r);
        if (!pilot.gone) {
            nodes.count(pilot, served);
        }
        boolean takes = r.state != PilotState.DRAINING && r.use == Use.NORMAL && nodes.takes(pilot.nodeName());
        List<Pool> before = pilot.load.countedIn();
        List<Pool> after = takes ? served : List.of();
        if (after.equals(before)) {
            return;
        }
        pilot.load.countIn(after, lane.pools.values());
        for (Pool pool : before) {
            if (!after.contains(pool)) {
                count(pool, -1);
            }
        }
        for (Pool pool : after) {
            if (!before.contains(pool)) {
                count(pool, 1);
            }
        }
    }

    /** Pools from which it takes work; pools that are not configured have no tasks. */
    private List<Pool> served(PilotRecord r) {
        Pool last = lane.pools.get(r.pool);
        if (r.pools.isEmpty()) {
            return last == null ? List.of() : last.alone;
        }
        Set<Pool> served = new LinkedHashSet<>();
        for (String name : r.pools) {
            served.add(lane.pools.get(name));
        }
        served.add(last);
        served.remove(null);
        return List.copyOf(served);
    }

    private void count(Pool pool, int more) {
        boolean hadNone = pool.pilots == 0;
        pool.pilots += more;
        if (pool.pilots < 0) {
            throw new IllegalStateException("pool " + pool.name + " counts " + pool.pilots + " pilots");
        }
        if (hadNone != (pool.pilots == 0)) {
            lane.agenda.pilotsChanged(pool);
        }
        // The window has changed, and what a pilot that goes still runs takes no place of the others any more.
        lane.agenda.fill(pool);
    }

    /** At the end of an event: pilots of nodes that were set aside, or are no longer, are notified at once. */
    public void settleNodes() {
        nodes.keepHalf();
        for (WorkerNode node : nodes.takeTurned()) {
            for (KnownPilot pilot : List.copyOf(node.pilots)) {
                recount(pilot);
                orders.steerLater(pilot);
            }
        }
        orders.begin();
    }

    /** More is to be done about pilots than the event before was allowed to. */
    public void goOn() {
        orders.goOn();
    }

    /** It was not heard for the length of a lease. */
    public void expired(KnownPilot pilot) {
        pilot.hasEnded = pilot.record.state == PilotState.DRAINING && pilot.record.jobUid == null;
        pilot.record.state = null;
        pilot.record.jobUid = null;
        if (pilot.record.use == Use.NORMAL) {
            forget(pilot);
        } else {
            rememberAbsent(pilot);
        }
        recount(pilot);
        lane.changed(pilot);
    }

    /** It is kept out without being heard. Beyond the maximum the oldest is forgotten. */
    private void rememberAbsent(KnownPilot pilot) {
        absent.remove(pilot);
        absent.add(pilot);
        while (absent.size() > lane.options.pilots().maxPilots()) {
            KnownPilot oldest = absent.iterator().next();
            forget(oldest);
            lane.changed(oldest);
            lane.counters.ignored("steered pilot");
        }
    }

    /** Nothing is left to know of it, but how old a command about it must not be. */
    private void forget(KnownPilot pilot) {
        PilotRecord record = pilot.record;
        pilot.gone = true;
        lane.pilots.remove(record.id);
        nodes.gone(pilot);
        absent.remove(pilot);
        ofUnknown.keep(record.id, pilot.load);
        lastId = null;
        lastFound = null;
        if (record.useCommandAt != 0) {
            lane.seen.pilotCommanded(record.id, record.useCommandAt);
        }
    }

    /** An attempt of it has finished, or failed. */
    public void ended(String pilotId, boolean finished) {
        KnownPilot pilot = find(pilotId);
        if (pilot != null) {
            if (finished) {
                pilot.record.finished++;
            } else {
                pilot.record.failed++;
            }
        }
    }

    /** Why a pilot may not have a job that it starts; null when it may. A pilot that may not is ordered to take no more. */
    public String refusal(String pilotId, String jobUid) {
        KnownPilot pilot = find(pilotId);
        if (pilot == null) {
            return null;
        }
        String why = pilot.record.use != Use.NORMAL
                ? PilotOrders.unwanted(pilot.record)
                : nodes.refusal(pilot.nodeName(), jobUid);
        if (why != null) {
            orders.drainIfUnwanted(pilot);
        }
        return why;
    }

    /** A command steers a pilot, known or not. False when one that was given later is here already. */
    public boolean command(Command.PilotAction command) {
        String id = command.pilotId();
        KnownPilot pilot = lane.pilots.get(id);
        long at = lane.givenAt(command.at());
        if (lane.isOlder(at, pilot == null ? lane.seen.pilotCommandAt(id) : pilot.record.useCommandAt)) {
            return false;
        }
        if (pilot == null) {
            boolean keepsOut = command.type() != Command.Type.PILOT_INCLUDE;
            if (keepsOut && absent.size() >= lane.options.pilots().maxPilots()) {
                throw new Refused("pilot_id", "too many pilots are drained or excluded to remember one more");
            }
            pilot = add(id);
        }
        PilotRecord r = pilot.record;
        r.useCommandAt = at;
        r.use = switch (command.type()) {
            case PILOT_DRAIN -> Use.DRAIN;
            case PILOT_EXCLUDE -> Use.EXCLUDE;
            default -> Use.NORMAL;
        };
        if (r.use == Use.EXCLUDE) {
            orders.stopJobs(pilot);
        }
        orders.steer(pilot);
        if (r.state == null) {
            if (r.use == Use.NORMAL) {
                forget(pilot);
            } else {
                rememberAbsent(pilot);
            }
        }
        recount(pilot);
        lane.changed(pilot);
        return true;
    }
}
