package dev.weir.scheduler.lane;

import dev.weir.protocol.Command;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PilotState;
import dev.weir.scheduler.lane.Reports.AboutJob;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Order;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.PilotRecord.Use;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which pilots live, and which of them may take work. */
final class Pilots {

    private final Lane lane;
    private String lastId;
    private PilotEntry lastFound;
    /**
     * Those that are drained or excluded and not heard, the one that fell silent or was steered longest ago first. They take no room from
     * those that live.
     */
    private final LinkedHashSet<PilotEntry> absent = new LinkedHashSet<>();
    /** What those have started that are not known: more than may be remembered, or forgotten before their jobs were lost. */
    private final Map<String, Work> ofUnknown = new HashMap<>();

    Pilots(Lane lane) {
        this.lane = lane;
    }

    /** An idle pilot. */
    void heard(Heartbeat heartbeat) {
        PoolEntry pool = lane.pools.get(heartbeat.pool());
        if (pool == null) {
            throw new Refused("pool", "there is no pool '" + heartbeat.pool() + "'");
        }
        PilotEntry pilot = entry(heartbeat.pilotId());
        if (pilot == null) {
            unknown(pool);
            heartbeat.pools().forEach(name -> unknown(lane.pools.get(name)));
            return;
        }
        told(pilot, heartbeat);
        recount(pilot);
        drainIfUnwanted(pilot);
    }

    /** A pilot with a job. */
    void heard(AboutJob about) {
        PilotEntry pilot = entry(about.pilotId());
        if (pilot == null) {
            unknown(lane.pools.get(about.pool()));
            return;
        }
        if (about.report() instanceof Heartbeat heartbeat) {
            told(pilot, heartbeat);
            drainIfUnwanted(pilot);
        } else {
            boolean isNew = pilot.r.state == null;
            pilot.r.pool = about.pool();
            pilot.r.jobUid = about.isResult() ? null : about.jobUid();
            if (pilot.r.state != PilotState.DRAINING) {
                pilot.r.state = about.isResult() ? PilotState.IDLE : PilotState.BUSY;
            }
            renew(pilot);
            if (isNew) {
                lane.writes.changed(pilot);
                lane.rows.pilot(pilot);
            }
        }
        recount(pilot);
    }

    private void unknown(PoolEntry pool) {
        if (pool != null && !pool.hasUnknownPilots) {
            pool.hasUnknownPilots = true;
            lane.pilotsCameOrWent(pool);
        }
    }

    /** The pilot; null when it is not known. A report asks several times for its own, by the same object. */
    PilotEntry find(String id) {
        if (id != lastId) {
            lastFound = lane.pilotsById.get(id);
            lastId = lastFound == null ? null : id;
        }
        return lastFound;
    }

    private PilotEntry entry(String id) {
        PilotEntry known = find(id);
        if (known != null) {
            return known;
        }
        if (live() >= lane.options.pilots().maxPilots()) {
            lane.counters.ignored("pilot");
            return null;
        }
        return made(id);
    }

    /** How many are heard. */
    int live() {
        return lane.pilotsById.size() - absent.size();
    }

    private PilotEntry made(String id) {
        PilotRecord record = new PilotRecord();
        record.id = id;
        record.useCommandAt = lane.memory.pilotCommandAt(id);
        PilotEntry pilot = entry(record);
        lane.pilotsById.put(id, pilot);
        return pilot;
    }

    private PilotEntry entry(PilotRecord record) {
        Work work = ofUnknown.remove(record.id);
        return new PilotEntry(lane, record, work == null ? new Work(lane.pools.size()) : work);
    }

    /** A pilot, known or not, is now the owner of this job. */
    void started(LiveJob job) {
        String id = job.r.pilot;
        PilotEntry pilot = find(id);
        job.owner = pilot != null ? pilot.work : ofUnknown.computeIfAbsent(id, unknown -> new Work(lane.pools.size()));
        job.owner.add(job.pool, 1);
    }

    /** A job that was started is over. */
    void landed(LiveJob job) {
        job.owner.add(job.pool, -1);
        if (!ofUnknown.isEmpty() && job.owner.isNone()) {
            ofUnknown.remove(job.r.pilot, job.owner);
        }
        job.owner = null;
    }

    private void told(PilotEntry pilot, Heartbeat heartbeat) {
        PilotRecord r = pilot.r;
        r.pool = heartbeat.pool();
        r.pools = heartbeat.pools();
        r.device = heartbeat.device();
        if (heartbeat.node() != null) {
            r.host = heartbeat.node().host();
            r.cores = heartbeat.node().cores();
            r.memory = heartbeat.node().memory();
        }
        r.state = heartbeat.state();
        r.jobUid = heartbeat.jobUid();
        renew(pilot);
        lane.writes.changed(pilot);
        lane.rows.pilot(pilot);
    }

    private void renew(PilotEntry pilot) {
        pilot.r.lastSeenAt = lane.now;
        pilot.r.leaseUntil =
                lane.record.beatClock + lane.options.pilots().lease().toMillis();
        lane.pilotLeases.set(pilot.lease, pilot.r.leaseUntil);
        lane.beats.needed();
        absent.remove(pilot);
    }

    /** After a restore, and after the jobs. */
    void restore(PilotRecord record) {
        PilotEntry pilot = entry(record);
        lane.pilotsById.put(pilot.r.id, pilot);
        if (pilot.r.state == null) {
            absent.add(pilot);
        } else {
            lane.pilotLeases.set(pilot.lease, pilot.r.leaseUntil);
        }
        recount(pilot);
    }

    /** Counts the pilot where it may take work. */
    void recount(PilotEntry pilot) {
        PilotRecord r = pilot.r;
        List<PoolEntry> served = pilot.gone || r.state == null ? List.of() : served(r);
        if (!pilot.gone) {
            lane.nodes.count(pilot, served);
        }
        boolean takes = r.state != PilotState.DRAINING && r.use == Use.NORMAL && lane.nodes.takes(pilot.nodeName());
        List<PoolEntry> before = pilot.work.countedIn();
        List<PoolEntry> after = takes ? served : List.of();
        if (after.equals(before)) {
            return;
        }
        pilot.work.countedIn(after, lane.pools.values());
        for (PoolEntry pool : before) {
            if (!after.contains(pool)) {
                counts(pool, -1);
                // What it still runs takes no place of the others any more.
                lane.mayStart(pool);
            }
        }
        for (PoolEntry pool : after) {
            if (!before.contains(pool)) {
                counts(pool, 1);
                lane.mayStart(pool);
            }
        }
    }

    /** Pools from which it takes work. Those that there are not have no tasks. */
    private List<PoolEntry> served(PilotRecord r) {
        PoolEntry last = lane.pools.get(r.pool);
        if (r.pools.isEmpty()) {
            return last == null ? List.of() : last.alone;
        }
        Set<PoolEntry> served = new LinkedHashSet<>();
        for (String name : r.pools) {
            served.add(lane.pools.get(name));
        }
        served.add(last);
        served.remove(null);
        return List.copyOf(served);
    }

    private void counts(PoolEntry pool, int more) {
        boolean hadNone = pool.pilots == 0;
        pool.pilots += more;
        if (hadNone != (pool.pilots == 0)) {
            lane.pilotsCameOrWent(pool);
        }
    }

    /** Its node was set aside, or is no longer. */
    void nodeChanged(PilotEntry pilot) {
        recount(pilot);
        lane.rows.pilot(pilot);
        steer(pilot);
    }

    /** Tells a pilot at once whether it may take jobs. */
    private void steer(PilotEntry pilot) {
        if (!drainIfUnwanted(pilot)) {
            String id = pilot.r.id;
            lane.effects.notice(id, Notice.resume("pilot " + id + " may take jobs again"));
        }
    }

    /**
     * Tells a pilot that would not be given a job to take none, for the length of a lease: told again at each heartbeat, it lasts,
     * and no forgotten one can keep a pilot from work. Returns whether it was told.
     */
    private boolean drainIfUnwanted(PilotEntry pilot) {
        PilotRecord r = pilot.r;
        String why = r.use != Use.NORMAL ? unwanted(r) : lane.nodes.unwanted(pilot.nodeName(), r.jobUid);
        if (why != null) {
            int leaseS = (int) Math.max(1, lane.options.pilots().lease().toSeconds());
            lane.effects.notice(r.id, Notice.drain(leaseS, why));
        }
        return why != null;
    }

    /** All that it has started: what it told last is not in state at every moment. */
    private void takeJobsFrom(String pilotId) {
        for (LiveJob job : lane.jobs.values()) {
            if (job.isStarted() && pilotId.equals(job.r.pilot) && job.r.order == Order.NONE) {
                job.r.order = Order.KILL;
                job.r.errorMessage = "pilot " + pilotId + " is excluded";
                lane.writes.changed(job);
                lane.reports.remind(job);
            }
        }
    }

    private static String unwanted(PilotRecord r) {
        return "pilot " + r.id + (r.use == Use.DRAIN ? " is to be drained" : " is excluded");
    }

    /** It was not heard for the length of a lease. */
    void expired(PilotEntry pilot) {
        pilot.r.state = null;
        pilot.r.jobUid = null;
        if (pilot.r.use == Use.NORMAL) {
            forget(pilot);
        } else {
            isAbsent(pilot);
        }
        recount(pilot);
        lane.writes.changed(pilot);
        lane.rows.pilot(pilot);
    }

    /** It is kept out without being heard. Of more than may be remembered, the one that was heard of longest ago is forgotten. */
    private void isAbsent(PilotEntry pilot) {
        absent.remove(pilot);
        absent.add(pilot);
        while (absent.size() > lane.options.pilots().maxPilots()) {
            PilotEntry oldest = absent.iterator().next();
            forget(oldest);
            lane.writes.changed(oldest);
            lane.counters.ignored("steered pilot");
        }
    }

    /** Nothing is left to know of it, but how old a command about it must not be. */
    private void forget(PilotEntry pilot) {
        PilotRecord record = pilot.r;
        pilot.gone = true;
        lane.pilotsById.remove(record.id);
        lane.nodes.gone(pilot);
        absent.remove(pilot);
        if (!pilot.work.isNone()) {
            ofUnknown.put(record.id, pilot.work);
        }
        lastId = null;
        lastFound = null;
        if (record.useCommandAt != 0) {
            lane.memory.pilotCommanded(record.id, record.useCommandAt);
        }
    }

    void ended(String pilotId, boolean finished) {
        PilotEntry pilot = find(pilotId);
        if (pilot != null) {
            if (finished) {
                pilot.r.finished++;
            } else {
                pilot.r.failed++;
            }
        }
    }

    /** Its lease on a job ran out: that is a failure of its node. */
    void lostJob(JobRecord job) {
        ended(job.pilot, false);
        lane.nodes.failed(job.pilot, lane.pools.get(job.pool));
    }

    /** Why a pilot may not have a job that it starts; null when it may. */
    String refusal(String pilotId, String jobUid) {
        PilotEntry pilot = find(pilotId);
        if (pilot == null) {
            return null;
        }
        if (pilot.r.use != Use.NORMAL) {
            return unwanted(pilot.r);
        }
        return lane.nodes.refusal(pilot.nodeName(), jobUid);
    }

    /** It took a job that it may not have: it does not know yet, or never will. */
    void refused(String pilotId) {
        drainIfUnwanted(find(pilotId));
    }

    void command(Command.PilotAction command) {
        String id = command.pilotId();
        PilotEntry pilot = lane.pilotsById.get(id);
        long at = lane.commands.givenAt(command);
        if (at < (pilot == null ? lane.memory.pilotCommandAt(id) : pilot.r.useCommandAt)) {
            lane.counters.ignored("older command");
            return;
        }
        if (pilot == null) {
            boolean keepsOut = command.type() != Command.Type.PILOT_INCLUDE;
            if (keepsOut && absent.size() >= lane.options.pilots().maxPilots()) {
                throw new Refused("pilot_id", "too many pilots are drained or excluded to remember one more");
            }
            pilot = made(id);
        }
        PilotRecord r = pilot.r;
        r.useCommandAt = at;
        r.use = switch (command.type()) {
            case PILOT_DRAIN -> Use.DRAIN;
            case PILOT_EXCLUDE -> Use.EXCLUDE;
            default -> Use.NORMAL;
        };
        if (r.use == Use.EXCLUDE) {
            takeJobsFrom(r.id);
        }
        steer(pilot);
        if (r.state == null) {
            if (r.use == Use.NORMAL) {
                forget(pilot);
            } else {
                isAbsent(pilot);
            }
        }
        recount(pilot);
        lane.writes.changed(pilot);
        lane.rows.pilot(pilot);
    }
}
