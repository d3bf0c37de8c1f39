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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which pilots live, and which of them may take work. */
final class Pilots {

    private final Lane lane;
    private String lastId;
    private PilotEntry lastFound;

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
        if (pilot != null) {
            told(pilot, heartbeat);
            recount(pilot);
            drainIfUnwanted(pilot);
        }
    }

    /** A pilot with a job. */
    void heard(AboutJob about) {
        PilotEntry pilot = entry(about.pilotId());
        if (pilot == null) {
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
        if (known != null || lane.pilotsById.size() >= lane.options.pilots().maxPilots()) {
            return known;
        }
        PilotRecord record = new PilotRecord();
        record.id = id;
        record.useCommandAt = lane.memory.pilotCommandAt(id);
        PilotEntry pilot = new PilotEntry(lane, record);
        lane.pilotsById.put(id, pilot);
        return pilot;
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
        lane.leases.set(pilot.lease, pilot.r.leaseUntil);
        lane.beats.needed();
    }

    /** Counts the pilot where it may take work. */
    void recount(PilotEntry pilot) {
        PilotRecord r = pilot.r;
        boolean takes = !pilot.gone
                && r.state != null
                && r.state != PilotState.DRAINING
                && r.use == Use.NORMAL
                && lane.nodes.takes(pilot.node());
        List<PoolEntry> before = pilot.countedIn;
        List<PoolEntry> after = takes ? served(r) : List.of();
        if (after.equals(before)) {
            return;
        }
        pilot.countedIn = after;
        for (PoolEntry pool : before) {
            if (!after.contains(pool)) {
                counts(pool, -1);
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
            // Why its tasks wait has changed.
            lane.tasks.values().stream().filter(task -> task.pool == pool).forEach(lane.rows::taskSoon);
        }
    }

    void recountNode(String node) {
        for (PilotEntry pilot : lane.pilotsById.values()) {
            if (pilot.node().equals(node)) {
                recount(pilot);
                lane.rows.pilot(pilot);
                steer(pilot);
            }
        }
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
        String why = r.use != Use.NORMAL ? unwanted(r) : lane.nodes.unwanted(pilot.node(), r.jobUid);
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

    /** Whether it takes jobs from a pool, by what it said. */
    static boolean serves(PilotRecord r, String pool) {
        return pool.equals(r.pool) || r.pools.contains(pool);
    }

    private static String unwanted(PilotRecord r) {
        return "pilot " + r.id + (r.use == Use.DRAIN ? " is to be drained" : " is excluded");
    }

    /** It was not heard for the length of a lease. */
    void expired(PilotEntry pilot) {
        pilot.r.state = null;
        pilot.r.jobUid = null;
        pilot.gone = pilot.r.use == Use.NORMAL;
        if (pilot.gone) {
            forget(pilot.r);
        }
        recount(pilot);
        lane.writes.changed(pilot);
        lane.rows.pilot(pilot);
    }

    /** Nothing is left to know of it, but how old a command about it must not be. */
    private void forget(PilotRecord record) {
        lane.pilotsById.remove(record.id);
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
        return lane.nodes.refusal(pilot.node(), jobUid);
    }

    /** It took a job that it may not have: it does not know yet, or never will. */
    void refused(String pilotId) {
        drainIfUnwanted(find(pilotId));
    }

    void command(Command command) {
        PilotEntry pilot = lane.pilotsById.get(command.pilotId());
        if (pilot == null) {
            pilot = entry(command.pilotId());
            if (pilot == null) {
                throw new Refused("pilot_id", "too many pilots are known to remember one more");
            }
        }
        PilotRecord r = pilot.r;
        long at = lane.commands.givenAt(command);
        if (at < r.useCommandAt) {
            lane.counters.ignored("older command");
            return;
        }
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
        if (r.use == Use.NORMAL && r.state == null) {
            pilot.gone = true;
            forget(r);
        }
        recount(pilot);
        lane.writes.changed(pilot);
        lane.rows.pilot(pilot);
    }
}
