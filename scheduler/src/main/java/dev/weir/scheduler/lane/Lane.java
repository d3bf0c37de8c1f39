package dev.weir.scheduler.lane;

import dev.weir.scheduler.Effects;
import dev.weir.scheduler.Event;
import dev.weir.scheduler.SchedulerMetrics;
import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.limit.Groups;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.GroupRecord;
import dev.weir.scheduler.state.LaneRecord;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.store.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What the parts of a lane share: the index in memory, the writes and effects of the present event, and the time. One object
 * lives from one rebuild of the index to the next.
 */
public final class Lane {

    final SchedulerOptions options;
    final int number;
    final Writes writes;
    final EffectBuffer effects = new EffectBuffer();
    final Counters counters;

    LaneRecord record;
    long now;
    /** When the index was built. What we sent or showed between the state's last write and then, we do not remember. */
    final long builtAt;

    private long lastVersion;

    final Map<String, TaskEntry> tasks = new HashMap<>();
    final Map<String, LiveJob> jobs = new HashMap<>();
    final Map<String, PilotEntry> pilotsById = new HashMap<>();
    final Map<String, PoolEntry> pools = new TreeMap<>();
    final Groups groups;
    final Dice dice;
    final TimerHeap wall = new TimerHeap();
    /** Of jobs, and of pilots. */
    final TimerHeap leases = new TimerHeap();

    final TimerHeap pilotLeases = new TimerHeap();
    /** Pools in which something may start since the event began. */
    private final List<PoolEntry> toFill = new ArrayList<>();
    /** Tasks whose files may wait for something else than before the event. */
    private final List<TaskEntry> toRecount = new ArrayList<>();
    /** Pools that have got their first pilot or lost their last since the event began. */
    private final List<PoolEntry> toShow = new ArrayList<>();
    /** Whether any group was limited after the last event. */
    private boolean limited;

    final Intake intake = new Intake(this);
    final Slots slots = new Slots(this);
    final Reading reading = new Reading(this);
    final Release release = new Release(this);
    final Reports reports = new Reports(this);
    final Claims claims = new Claims(this);
    final Flights flights = new Flights(this);
    final Adoption adoption = new Adoption(this);
    final Outcomes outcomes = new Outcomes(this);
    final Endings endings = new Endings(this);
    final Stops stops = new Stops(this);
    final Commands commands = new Commands(this);
    final Closure closure = new Closure(this);
    final Pilots pilots = new Pilots(this);
    final Nodes nodes = new Nodes(this);
    final Beats beats = new Beats(this);
    final Memory memory = new Memory(this);
    final Rows rows;

    private final BiConsumer<String, GroupRecord> groupWriter = this::write;

    /** Reads the store and builds the index. */
    public Lane(SchedulerOptions options, int number, Store store, Counters counters, long now) {
        this.options = options;
        this.number = number;
        this.counters = counters;
        this.now = now;
        builtAt = now;
        rows = new Rows(this);
        writes = new Writes(store);
        groups = new Groups(options.limits(), options.commands().memory(), number, options.lanes());
        dice = new Dice(options.seed() ^ Dice.mix(number));
        options.pools().forEach((name, pool) -> pools.put(name, new PoolEntry(this, name, pools.size(), pool)));
        new Rebuild(this, store).run();
    }

    /**
     * As {@link #apply} with a tick, of one deadline only. Others that are due are put off first, in the order in which they are
     * due: those at which the scheduler has failed.
     */
    public void applyOneDeadline(int putOff, long putOffMillis, long nowMillis, Effects out) {
        now = Math.max(now, nowMillis);
        for (int i = 0; i < putOff; i++) {
            Timer failing = wall.pollDue(now);
            if (failing != null) {
                wall.set(failing, now + putOffMillis);
            }
        }
        Timer due = wall.pollDue(now);
        if (due != null) {
            due.action.run();
        }
        finish(out);
    }

    /** Applies one event and calls its effects. When it throws, this object must not be used any more. */
    public void apply(Event event, long nowMillis, Effects out) {
        now = Math.max(now, nowMillis);
        try {
            dispatch(event);
        } catch (Refused e) {
            counters.rejected++;
            effects.rejected(e.getMessage(), e.field);
        }
        finish(out);
    }

    private void finish(Effects out) {
        nodes.keepHalf();
        groups.tick(now);
        rest();
        fillPools();
        groups.drainChanged(groupWriter);
        writes.commit(this);
        recountHeld();
        showThoseForPilots();
        effects.flushTo(out);
    }

    private void write(String groupKey, GroupRecord group) {
        if (group == null) {
            writes.remove(Tables.GROUP, groupKey);
        } else {
            writes.put(Tables.GROUP, groupKey, group);
        }
    }

    private void dispatch(Event event) {
        if (event instanceof Event.ReportArrived arrived) {
            reports.arrived(arrived.report());
        } else if (event instanceof Event.TaskArrived arrived) {
            intake.arrived(arrived.task());
        } else if (event instanceof Event.PageArrived arrived) {
            reading.arrived(arrived);
        } else if (event instanceof Event.PageFailed failed) {
            reading.failed(failed);
        } else if (event instanceof Event.CommandArrived arrived) {
            commands.arrived(arrived.command());
        } else if (event instanceof Event.Tick) {
            for (Timer due = wall.pollDue(now); due != null; due = wall.pollDue(now)) {
                due.action.run();
            }
        }
    }

    /** Something in the pool may start now that could not before. */
    void mayStart(PoolEntry pool) {
        if (!pool.toFill) {
            pool.toFill = true;
            toFill.add(pool);
        }
    }

    /** What holds the task's files back may have changed. */
    void recount(TaskEntry task) {
        if (!task.recount) {
            task.recount = true;
            toRecount.add(task);
        }
    }

    private void recountHeld() {
        for (TaskEntry task : toRecount) {
            task.recount = false;
            task.pool.held.recount(task);
        }
        toRecount.clear();
    }

    private void showThoseForPilots() {
        for (PoolEntry pool : toShow) {
            pool.held.tasksForPilots().forEach(rows::taskSoon);
        }
        toShow.clear();
    }

    /** Some tasks of the pool wait for something else now. */
    void pilotsCameOrWent(PoolEntry pool) {
        toShow.add(pool);
    }

    /**
     * A pool without pilots starts nothing while any group is limited, so that it holds no places of limited groups. One of several
     * lanes does not hear the pilots that work for another, so there the rule does not hold.
     */
    private void rest() {
        if (toShow.isEmpty() && limited == groups.areLimited()) {
            return;
        }
        limited = groups.areLimited();
        recountHeld();
        for (PoolEntry pool : pools.values()) {
            boolean rests = limited && options.lanes() == 1 && !pool.hasPilots();
            if (rests != pool.rests) {
                pool.rests = rests;
                slots.restChanged(pool);
            }
        }
    }

    private void fillPools() {
        // Admitting may end a task at once (an empty dataset), which frees a slot, and so on: until nothing changes.
        for (int i = 0; i < toFill.size(); i++) {
            bestFirst(i);
            PoolEntry pool = toFill.get(i);
            pool.toFill = false;
            slots.fill(pool);
            release.fill(pool);
        }
        toFill.clear();
    }

    /** Where several pools are strict a place in a group goes to the highest rank of them all: that pool gives next. */
    private void bestFirst(int from) {
        int best = from;
        for (int i = from; i < toFill.size() && toFill.get(from).strict; i++) {
            if (toFill.get(i).strict) {
                // Whoever gets a slot in this event counts too.
                slots.fill(toFill.get(i));
                best = toFill.get(i).goesBefore(toFill.get(best)) ? i : best;
            }
        }
        Collections.swap(toFill, from, best);
    }

    /** Whether another one is to give something before this one goes on. */
    boolean isOvertaken(PoolEntry pool) {
        if (pool.strict) {
            for (PoolEntry other : pools.values()) {
                if (other.toFill && other.strict && other.goesBefore(pool)) {
                    return true;
                }
            }
        }
        return false;
    }

    public long nextDeadlineMillis() {
        return Math.min(wall.nextAt(), groups.nextDeadlineMillis());
    }

    public long now() {
        return now;
    }

    public SchedulerMetrics metrics() {
        return new Gauges(this).read();
    }

    /**
     * The version of a row that had this one before. It is larger than all that this lane gave before, because a pilot that is
     * forgotten and heard again in the same millisecond has no version to go on from.
     */
    long nextVersion(long previous) {
        lastVersion = Math.max(Math.max(previous, lastVersion) + 1, now * 1000);
        return lastVersion;
    }
}
