package dev.weir.scheduler.model;

import dev.weir.engine.LeaseClock;
import dev.weir.engine.Outbox;
import dev.weir.engine.Session;
import dev.weir.engine.TimerHeap;
import dev.weir.engine.UnitOfWork;
import dev.weir.engine.limit.Groups;
import dev.weir.protocol.Beat;
import dev.weir.protocol.Route;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.backlog.Dice;
import dev.weir.scheduler.options.SchedulerOptions;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory of one lane: its tasks, jobs, pilots, pools and groups, and what the event at hand does to them. It holds data and decides
 * nothing. It lives from one recovery to the next.
 */
public final class Lane {

    /** Leases of jobs expire before those of pilots: a pilot that is forgotten has no node that its lost job could count against. */
    public static final int JOB_LEASES = 0;

    public static final int PILOT_LEASES = 1;

    /** Tasks that learn in one event that their pool has changed. */
    private static final int TOLD_AT_ONCE = 1_000;

    /** After a start tasks and commands that waited in the broker are read within this time. */
    private static final long MESSAGES_COME_MILLIS = 60_000;

    /** Stands for a task in the route of a beat. */
    private static final String WEIR = "weir";

    public final SchedulerOptions options;
    /** From 0. */
    public final int number;

    public final UnitOfWork work;
    public final Outbox<Effect> effects;
    public final TimerHeap timers;
    public final LeaseClock leaseClock;
    public final Seen seen;
    public final Counters counters;
    public final Agenda agenda = new Agenda();

    /** By uid: tasks that are not closed. */
    public final Map<String, OpenTask> tasks = new HashMap<>();
    /** By uid: tasks whose own records cannot be read, and why. Nothing of them is in memory; their state stays as it is. */
    public final Map<String, String> unreadable;
    /** By uid: jobs that were released and are not over. */
    public final Map<String, LiveJob> jobs = new HashMap<>();
    /** By id. */
    public final Map<String, KnownPilot> pilots = new HashMap<>();
    /** By name: the configured pools. */
    public final Map<String, Pool> pools = new TreeMap<>();

    /** The task that the step at hand is about; null when it is about none. If the step fails, the task is set aside. */
    public OpenTask suspect;

    /** How many files of all tasks that wait have a priority by command. */
    public int givenPriorities;

    /** Steps of tasks that end or try failed jobs again, each of up to a thousand jobs, that the event at hand may take. */
    public final Allowance steps = new Allowance(5);

    public final Groups groups;
    public final Dice dice;
    /** Until when no file starts; milliseconds since 1970. */
    private long catchesUpUntil = Long.MIN_VALUE;

    private final Session<Effect> session;
    private final long startedAt;

    public Lane(
            SchedulerOptions options,
            int number,
            Session<Effect> session,
            long startedAt,
            Counters counters,
            Map<String, String> unreadable) {
        this.options = options;
        this.number = number;
        this.session = session;
        this.startedAt = startedAt;
        this.counters = counters;
        this.unreadable = unreadable;
        work = session.work();
        effects = session.effects();
        timers = session.timers();
        seen = new Seen(session, options);
        groups = new Groups(options.limits(), options.commands().memory(), number, options.lanes());
        dice = new Dice(options.seed() ^ Dice.mix(number));
        leaseClock =
                new LeaseClock(session, 2, options.pilots().heartbeat().toMillis(), TimerKind.BEAT, this::sendBeat);
        options.pools().forEach((name, pool) -> pools.put(name, new Pool(this, name, pools.size(), pool)));
    }

    private void sendBeat() {
        effects.add(new Effect.SendBeat(new Beat(Instant.ofEpochMilli(now()), new Route(number, 0, WEIR).encoded())));
    }

    /** The time of the event at hand, in milliseconds since 1970. */
    public long now() {
        return session.now();
    }

    /** When this memory was built, in milliseconds since 1970. What left between the state's last write and then is not remembered. */
    public long builtAt() {
        return session.beganAt();
    }

    /** Until when tasks and commands may come that were sent before the start, in milliseconds since 1970. */
    public long messagesComeUntil() {
        return startedAt + MESSAGES_COME_MILLIS;
    }

    /**
     * If there are tasks: lets no file start until the first beat of this memory has come back, but no longer than until a time in
     * milliseconds since 1970. The beat comes behind the reports that waited in the broker, and a job that one of these is about is not sent
     * again.
     */
    public void catchUpUntil(long until) {
        if (!tasks.isEmpty()) {
            catchesUpUntil = until;
            leaseClock.sendFirst();
        }
    }

    /** Whether a beat that was sent at a time, in milliseconds since 1970, may be of this memory. One of another memory ends no wait. */
    public boolean isOwnBeat(long sentAt) {
        return sentAt >= builtAt() && sentAt <= now();
    }

    /** The reports that waited have been read: files start after so many milliseconds, or when the wait ends if that is sooner. */
    public void caughtUp(long moreMillis) {
        catchesUpUntil = moreMillis == 0 ? Long.MIN_VALUE : Math.min(catchesUpUntil, now() + moreMillis);
    }

    public boolean isCatchingUp() {
        return now() < catchesUpUntil;
    }

    /** Until when no file starts, in milliseconds since 1970; in the past when it may. */
    public long catchesUpUntil() {
        return catchesUpUntil;
    }

    /**
     * The version of a row of the mirror that had this one before, 0 for none. It is larger than all that this lane gave before, because a pilot
     * that is forgotten and heard again, and a group, have none to go on from: neither in the same millisecond nor when the clock has gone back.
     */
    public long nextVersion(long previous) {
        counters.newestVersion = Math.max(Math.max(previous, counters.newestVersion) + 1, now() * 1000);
        return counters.newestVersion;
    }

    /** The place of a task in the order of arrival. */
    public long nextArrival() {
        return session.nextNumber();
    }

    /** When a lease that begins now runs out, on the lease clock. */
    public long leaseUntil() {
        return leaseClock.now() + options.pilots().lease().toMillis();
    }

    /**
     * When a command was given, in milliseconds since 1970, to tell older commands from newer ones. A clock that is ahead of ours must
     * not keep later commands from acting.
     */
    public long givenAt(Instant at) {
        return Math.min(at.toEpochMilli(), now());
    }

    /**
     * Whether a command that was given at a time must not override one that was given at another one; both by {@link #givenAt}. A time
     * that has not come yet is from when our own clock was ahead, and says nothing.
     */
    public boolean isOlder(long givenAt, long before) {
        return givenAt < before && before <= now();
    }

    /** The task's record has changed: it is saved, looked at and shown. */
    public void changed(OpenTask task) {
        work.changed(task);
        agenda.settle(task);
        agenda.show(task);
    }

    public void changed(LiveJob job) {
        work.changed(job);
    }

    public void changed(KnownPilot pilot) {
        work.changed(pilot);
    }

    /** The pool is filled further at a time, in milliseconds since 1970, if nothing happens before. */
    public void fillAt(Pool pool, long at) {
        if (!pool.fillTimer.isSet() || pool.fillTimer.at() > at) {
            timers.set(pool.fillTimer, at);
        }
    }

    /** The pool lets its tasks start less than before, or more, or they wait for something else now. */
    public void poolChanged(Pool pool) {
        pool.changed();
        tellOfChange(pool);
    }

    /** A thousand tasks of the pool learn of its last change; the rest does with the next ticks. */
    public void tellOfChange(Pool pool) {
        int told = 0;
        for (OpenTask task = pool.nextToLearn(); task != null; task = pool.nextToLearn()) {
            suspect = task;
            task.mayStartLess();
            agenda.show(task);
            suspect = null;
            if (++told == TOLD_AT_ONCE) {
                break;
            }
        }
        if (pool.isChangeUnknown()) {
            timers.set(pool.changeTimer, now());
        }
        agenda.fill(pool);
    }
}
