package dev.weir.scheduler;

import dev.weir.engine.Application;
import dev.weir.engine.Recovery;
import dev.weir.engine.Refused;
import dev.weir.engine.Session;
import dev.weir.engine.Timer;
import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Store;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Command;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Report;
import dev.weir.protocol.Route;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.model.Agenda;
import dev.weir.scheduler.model.Counters;
import dev.weir.scheduler.model.KnownPilot;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.model.TimerKind;
import dev.weir.scheduler.model.WorkerNode;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.Tables;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The scheduler as the engine runs it: which part takes which event and which timer, and in which order an event is settled.
 *
 * <p>Settling: nodes and groups that come back; pools that have no pilots; then, until nothing is left on the agenda, tasks that stop,
 * close, give their slot back or ask for a page, and pools that are filled.
 */
final class LaneApplication implements Application<Event> {

    /** All pilots of a site may go at once, and no event may take long. */
    private static final int LEASES_AT_ONCE = 1_000;
    /** Before files start, commands that have waited for reports act, which takes a tick or two. */
    private static final long COMMANDS_ACT_MILLIS = 1_000;

    private final Lane lane;
    private final Parts parts;
    private final Timer moreLeases = new Timer(TimerKind.LEASES, this);
    private final BiConsumer<String, GroupRecord> groupWriter = this::write;
    /** Whether any group was limited after the last event. */
    private boolean limited;

    /**
     * Builds the lane's memory from the store.
     *
     * @param startedAt when Weir started, in milliseconds since 1970
     */
    LaneApplication(
            SchedulerOptions options,
            int number,
            Counters counters,
            Map<String, String> unreadable,
            Session<Effect> session,
            long startedAt,
            Store store) {
        lane = new Lane(options, number, session, startedAt, counters, unreadable);
        parts = new Parts(lane);
        try {
            new MemoryBuilder(lane, store, parts).run();
        } catch (DamagedValue e) {
            if (lane.suspect == null) {
                throw e;
            }
            String uid = lane.suspect.progress.uid;
            unreadable.put(uid, e.getMessage());
            counters.problem("unreadable task", "task '" + uid + "' is left out: " + e.getMessage());
            throw new Recovery.Again("task '" + uid + "' cannot be read", e);
        }
        lane.suspect = null;
        parts.overdue.resume();
    }

    @Override
    public void handle(Event event) {
        if (event instanceof Event.ReportArrived arrived) {
            report(arrived.report());
        } else if (event instanceof Event.TaskArrived arrived) {
            OpenTask task = parts.answers.of(arrived.task(), () -> parts.intake.arrived(arrived.task()));
            if (task != null) {
                parts.commands.waitIsOver(task);
            }
        } else if (event instanceof Event.PageArrived arrived) {
            parts.reading.arrived(arrived);
        } else if (event instanceof Event.PageFailed failed) {
            parts.reading.failed(failed);
        } else if (event instanceof Event.CommandArrived arrived) {
            parts.commands.arrived(arrived.command());
        }
    }

    private void report(Report report) {
        lane.counters.reportsIn++;
        if (report instanceof Beat beat) {
            beat(beat);
        } else {
            parts.reports.arrived(report);
        }
    }

    /** Our own beat came back: it measures the way through the broker, and leases may run out. */
    private void beat(Beat beat) {
        try {
            if (Route.decode(beat.route()).lane() != lane.number) {
                return;
            }
        } catch (InvalidMessage e) {
            throw new Refused("route", e.getMessage());
        }
        if (beat.sentAt() != null) {
            long roundTrip = lane.now() - beat.sentAt().toEpochMilli();
            if (lane.isCatchingUp() && lane.isOwnBeat(beat.sentAt().toEpochMilli())) {
                lane.caughtUp(parts.earlyCommands.release() ? COMMANDS_ACT_MILLIS : 0);
            }
            for (Pool pool : lane.pools.values()) {
                pool.estimator.beatCameBack(roundTrip);
                // Its window may have grown, or nothing was allowed out before.
                lane.agenda.fill(pool);
            }
        }
        lane.leaseClock.heard();
        expireLeases();
    }

    private void expireLeases() {
        Timer expired;
        for (int i = 0; i < LEASES_AT_ONCE; i++) {
            if ((expired = lane.leaseClock.pollExpired()) == null) {
                return;
            }
            fire(expired);
        }
        lane.timers.set(moreLeases, lane.now());
    }

    @Override
    public void fire(Timer timer) {
        Object subject = timer.subject();
        lane.suspect = subject instanceof OpenTask task ? task : subject instanceof LiveJob job ? job.task : null;
        fire(timer, subject);
        lane.suspect = null;
    }

    private void fire(Timer timer, Object subject) {
        boolean isAside = lane.suspect != null && lane.suspect.aside != null;
        switch ((TimerKind) timer.kind()) {
            case BEAT -> lane.leaseClock.beat();
            case JOB -> due((LiveJob) subject);
            case JOB_LEASE -> parts.outcomes.lost((LiveJob) subject);
            case PILOT_LEASE -> parts.pilots.expired((KnownPilot) subject);
            case PAGE -> parts.reading.askAgain((OpenTask) subject);
            case CLOSING, RETRYING, STOPPING -> {
                if (!isAside) {
                    step(timer, (OpenTask) subject);
                }
            }
            case TASK_ROW -> parts.rows.due((OpenTask) subject);
            case GROUP_ROWS -> parts.groupRows.due();
            case FILL -> lane.agenda.fill((Pool) subject);
            case POOL_CHANGED -> lane.tellOfChange((Pool) subject);
            case LEASES -> expireLeases();
            case STALE_MESSAGE -> parts.inFlight.forgetStaleMessages((Pool) subject);
            case NODE_BACK -> parts.nodes.updateAside((WorkerNode) subject);
            case PILOTS -> parts.pilots.goOn();
            case FORGET_NODES -> parts.nodes.forgetOld();
            case EARLY_COMMAND -> parts.commands.due((Command.AboutTask) subject);
        }
    }

    /** Hundreds of tasks may be cancelled at once: what is beyond the allowance follows with the next tick. */
    private void step(Timer timer, OpenTask task) {
        if (!lane.steps.take(lane.agenda.event())) {
            lane.timers.set(timer, lane.now());
        } else if (timer.kind() == TimerKind.CLOSING) {
            parts.closure.step(task);
        } else if (timer.kind() == TimerKind.RETRYING) {
            parts.retries.step(task);
        } else {
            parts.stops.step(task);
        }
    }

    private void due(LiveJob job) {
        if (job.isStarted()) {
            parts.overdue.stop(job);
        } else {
            parts.dispatch.due(job);
        }
    }

    @Override
    public void refuse(Refused refused) {
        lane.counters.rejected++;
        lane.effects.add(new Effect.Reject(null, refused.getMessage(), refused.field()));
    }

    @Override
    public String suspect() {
        return lane.suspect == null ? null : lane.suspect.progress.uid;
    }

    @Override
    public boolean setAside(String uid, String reason) {
        OpenTask task = lane.tasks.get(uid);
        if (task != null) {
            lane.suspect = task;
            parts.setAside.put(task, reason);
            lane.suspect = null;
        }
        return task != null;
    }

    @Override
    public void settle() {
        lane.suspect = null;
        parts.pilots.settleNodes();
        lane.groups.tick(lane.now());
        stopPoolsWithoutPilots();
        workOffAgenda();
        lane.groups.drainChanged(groupWriter);
    }

    /**
     * A pool without pilots starts nothing while any group is limited, so that it holds no places of limited groups. One of several
     * lanes does not hear the pilots that work for another, so there the rule does not hold.
     */
    private void stopPoolsWithoutPilots() {
        List<Pool> withPilotChange = lane.agenda.poolsWithPilotChange();
        if (withPilotChange.isEmpty() && limited == lane.groups.areLimited()) {
            return;
        }
        limited = lane.groups.areLimited();
        for (Pool pool : lane.pools.values()) {
            boolean rests = limited && lane.options.lanes() == 1 && !pool.hasPilots();
            if (rests != pool.stoppedWithoutPilots || withPilotChange.contains(pool)) {
                pool.stoppedWithoutPilots = rests;
                lane.poolChanged(pool);
            }
        }
        withPilotChange.clear();
    }

    private void workOffAgenda() {
        Agenda agenda = lane.agenda;
        while (true) {
            for (OpenTask task = agenda.nextTask(); task != null; task = agenda.nextTask()) {
                settle(task);
            }
            Pool pool = bestToFill(agenda.poolsToFill());
            if (pool == null) {
                return;
            }
            agenda.filled(pool);
            parts.admission.fill(pool);
            parts.dispatch.fill(pool);
        }
    }

    private void settle(OpenTask task) {
        if (!task.gone && task.aside == null) {
            lane.suspect = task;
            parts.stops.settle(task);
            task.settle();
            parts.closure.settle(task);
            parts.admission.settle(task);
            parts.reading.settle(task);
            lane.suspect = null;
        }
    }

    /** The first pool; but where several pools are strict, a place in a group goes to the highest rank of them all. */
    private Pool bestToFill(List<Pool> pools) {
        if (pools.isEmpty()) {
            return null;
        }
        Pool best = pools.get(0);
        for (int i = 0; i < pools.size() && best.strict; i++) {
            Pool other = pools.get(i);
            if (other.strict) {
                // A task that gets a slot in this event counts too.
                parts.admission.fill(other);
                best = other.goesBefore(best) ? other : best;
            }
        }
        return best;
    }

    private void write(String groupKey, GroupRecord group) {
        if (group == null) {
            lane.work.remove(Tables.GROUP, groupKey);
        } else {
            lane.work.put(Tables.GROUP, groupKey, group);
        }
    }

    @Override
    public void project() {
        parts.rows.project();
        lane.agenda.eventEnds();
    }

    @Override
    public long nextDeadlineMillis() {
        return Math.min(lane.timers.nextAt(), lane.groups.nextDeadlineMillis());
    }

    SchedulerMetrics metrics() {
        return parts.metrics.read(parts.pilots.live());
    }

    Lane lane() {
        return lane;
    }

    Parts parts() {
        return parts;
    }
}
