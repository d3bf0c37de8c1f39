package dev.weir.scheduler.lane;

import dev.weir.protocol.Command;
import dev.weir.protocol.Order;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Somebody steers: each command once, the newest about a thing wins, and one that is early waits for its task. */
final class Commands {

    private final Lane lane;
    /** By task uid, then command id. */
    private final Map<String, Map<String, WaitingCommand>> waiting = new HashMap<>();

    private int waitingCount;

    Commands(Lane lane) {
        this.lane = lane;
    }

    void arrived(Command command) {
        if (lane.memory.isCommandKnown(command.id())) {
            lane.counters.ignored("command");
            return;
        }
        if (command instanceof Command.AboutTask about) {
            aboutTask(about);
        } else if (command instanceof Command.Limit limit) {
            limit(limit);
        } else if (command instanceof Command.PoolAction action) {
            pool(action);
        } else if (command instanceof Command.PilotAction action) {
            lane.pilots.command(action);
        }
    }

    private void taken(Command command) {
        lane.memory.commandTaken(command.id());
    }

    private void aboutTask(Command.AboutTask command) {
        TaskEntry task = lane.tasks.get(command.taskUid());
        if (task != null) {
            apply(task, command);
            taken(command);
            return;
        }
        if (lane.memory.closedTask(command.taskUid()) != null) {
            throw new Refused("task_uid", "task '" + command.taskUid() + "' is closed");
        }
        Map<String, WaitingCommand> early = waiting.get(command.taskUid());
        if (early != null && early.containsKey(command.id())) {
            lane.counters.ignored("command");
            return;
        }
        if (waitingCount >= lane.options.commands().maxWaiting()) {
            throw new Refused("task_uid", "there is no task '" + command.taskUid() + "', and no room to wait for it");
        }
        WaitingCommand held = new WaitingCommand(
                command, lane.now + lane.options.commands().waitForTask().toMillis());
        lane.writes.put(Tables.WAITING, key(command), held);
        hold(held);
    }

    private static String key(Command.AboutTask command) {
        return command.taskUid() + '/' + command.id();
    }

    /** Keeps a command that waits for its task, when it comes or after a restore. */
    void hold(WaitingCommand early) {
        Command.AboutTask command = early.command();
        waiting.computeIfAbsent(command.taskUid(), uid -> new LinkedHashMap<>()).put(command.id(), early);
        waitingCount++;
        lane.wall.set(new Timer(() -> giveUp(command)), early.until());
    }

    private void giveUp(Command.AboutTask command) {
        Map<String, WaitingCommand> early = waiting.get(command.taskUid());
        if (early == null || early.remove(command.id()) == null) {
            return;
        }
        waitingCount--;
        if (early.isEmpty()) {
            waiting.remove(command.taskUid());
        }
        lane.writes.remove(Tables.WAITING, key(command));
        // It was answered: a copy of it that comes later must not act after all.
        taken(command);
        lane.counters.rejected++;
        lane.effects.rejectedAfterWaiting(
                command,
                "command '" + command.id() + "' is about task '" + command.taskUid() + "', which has not come within "
                        + lane.options.commands().waitForTask().toSeconds() + " s",
                "task_uid");
    }

    /** The task is here: commands that waited for it apply in the order in which they were given. */
    void taskCame(TaskEntry task) {
        Map<String, WaitingCommand> early = waiting.remove(task.p.uid);
        if (early == null) {
            return;
        }
        waitingCount -= early.size();
        List<Command.AboutTask> commands = new ArrayList<>();
        early.values().forEach(one -> commands.add(one.command()));
        commands.sort(Comparator.comparing(Command::at));
        for (Command.AboutTask command : commands) {
            lane.writes.remove(Tables.WAITING, key(command));
            taken(command);
            if (!task.gone) {
                try {
                    apply(task, command);
                } catch (Refused e) {
                    lane.counters.rejected++;
                    lane.effects.rejectedAfterWaiting(
                            command, "command '" + command.id() + "': " + e.getMessage(), e.field);
                }
            }
        }
    }

    private void apply(TaskEntry task, Command.AboutTask command) {
        Progress p = task.p;
        if (p.closing) {
            throw new Refused("task_uid", "task '" + p.uid + "' is closing");
        }
        switch (command.type()) {
            case RANK -> rank(task, (Command.Rank) command);
            case CANCEL -> lane.stops.cancel(task, "cancelled by " + who(command));
            case CLOSE -> lane.stops.close(task, "closed by " + who(command));
            case PAUSE, RESUME -> pause(task, command);
            case RETRY_FAILED -> retryFailed(task);
            case PRIORITY -> priority(task, (Command.Priority) command);
            default -> throw new IllegalStateException(command.type() + " is not about a task");
        }
    }

    /**
     * When a command was given, in milliseconds since 1970, for telling older from newer. A clock that is ahead of ours must not keep
     * later commands from acting.
     */
    long givenAt(Command command) {
        return Math.min(command.at().toEpochMilli(), lane.now);
    }

    private static String who(Command command) {
        return command.by() == null ? "command " + command.id() : command.by();
    }

    private void rank(TaskEntry task, Command.Rank command) {
        Progress p = task.p;
        long at = givenAt(command);
        if (at < p.rankCommandAt) {
            lane.counters.ignored("older command");
            return;
        }
        p.rankCommandAt = at;
        p.base = command.rank();
        lane.release.rankIs(task, command.rank());
        lane.slots.moved(task);
        lane.rows.task(task);
    }

    private void pause(TaskEntry task, Command command) {
        Progress p = task.p;
        long at = givenAt(command);
        if (at < p.pauseCommandAt) {
            lane.counters.ignored("older command");
            return;
        }
        p.pauseCommandAt = at;
        boolean pause = command.type() == Command.Type.PAUSE;
        lane.writes.changed(task);
        if (p.paused == pause || p.stop != Stop.NONE) {
            return;
        }
        p.paused = pause;
        if (pause) {
            lane.slots.leaveQueue(task);
            lane.slots.giveBack(task);
            lane.intake.announce(task, TaskState.PAUSED, "paused by " + who(command));
        } else {
            boolean wasActive = p.everActive;
            boolean allReleased = p.listed && p.released == p.jobs;
            // Announced as active again when it has a slot.
            p.everActive = allReleased && wasActive;
            if (p.everActive) {
                lane.intake.announce(task, TaskState.ACTIVE, null);
            }
            lane.slots.enqueue(task);
            task.readinessChanged();
            lane.mayStart(task.pool);
        }
        lane.rows.task(task);
    }

    private void priority(TaskEntry task, Command.Priority command) {
        Progress p = task.p;
        long position = command.position();
        if (!p.indexed || task.spec().order() != Order.PRIORITY) {
            throw new Refused("task_uid", "task '" + p.uid + "' does not order its files by priority");
        }
        if (position >= p.known || p.stop != Stop.NONE || task.isReleased(position)) {
            throw new Refused("position", "no file of task '" + p.uid + "' waits at position " + position);
        }
        GivenPriority given = new GivenPriority(command.priority(), givenAt(command));
        GivenPriority before = task.givenPriorities.get(position);
        if (before != null && given.at() < before.at()) {
            lane.counters.ignored("older command");
            return;
        }
        task.givenPriorities.put(position, given);
        lane.writes.put(Tables.PRIORITY, Tables.key(p.uid, position), given.toString());
        int now = task.priorityNow(position, command.priority());
        task.backlog.reprioritise(
                position, now, lane.release.file(task, position).groups(), task);
    }

    private void retryFailed(TaskEntry task) {
        if (task.p.stop != Stop.NONE) {
            throw new Refused("task_uid", "task '" + task.p.uid + "' is ending: nothing of it is tried again");
        }
        for (String uid : lane.closure.takeFailed(task)) {
            JobRecord record = lane.jobs.containsKey(uid) ? null : lane.writes.job(uid);
            if (record != null) {
                lane.adoption.retryFailed(lane.adoption.fromFailed(task, record));
            }
        }
        lane.rows.task(task);
    }

    private void limit(Command.Limit command) {
        GroupLimit limit = new GroupLimit(
                command.maxInFlight() == null ? GroupLimit.UNLIMITED : command.maxInFlight(),
                command.maxStarts() == null ? GroupLimit.UNLIMITED : command.maxStarts(),
                command.maxStarts() == null ? null : Duration.ofSeconds(command.windowS()));
        if (!lane.groups.command(command.group(), limit, givenAt(command), lane.now)) {
            lane.counters.ignored("older command");
        }
        taken(command);
    }

    private void pool(Command.PoolAction command) {
        PoolEntry pool = lane.pools.get(command.pool());
        if (pool == null) {
            throw new Refused("pool", "there is no pool '" + command.pool() + "'");
        }
        taken(command);
        long at = givenAt(command);
        if (at < pool.record.commandAt()) {
            lane.counters.ignored("older command");
            return;
        }
        PoolRecord.Use use = switch (command.type()) {
            case POOL_PAUSE -> PoolRecord.Use.PAUSED;
            case POOL_DRAIN -> PoolRecord.Use.DRAINING;
            default -> PoolRecord.Use.NORMAL;
        };
        pool.record = new PoolRecord(use, at);
        lane.writes.put(Tables.POOL, pool.name, pool.record);
        for (TaskEntry task : lane.tasks.values()) {
            if (task.pool == pool) {
                lane.slots.stopWanting(task);
                lane.rows.taskSoon(task);
            }
        }
        lane.mayStart(pool);
    }
}
