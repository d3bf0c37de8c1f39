package dev.weir.scheduler.command;

import dev.weir.engine.Refused;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.protocol.Command;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.pilot.PilotRegistry;
import dev.weir.scheduler.state.PoolRecord;
import dev.weir.scheduler.state.Tables;
import java.time.Duration;
import java.util.Set;

/** Commands of operators and WFMS: each acts once, and the newest about an object wins. */
public final class Commands {

    private static final Set<Command.Type> ABOUT_JOBS =
            Set.of(Command.Type.CLOSE, Command.Type.CANCEL, Command.Type.RETRY_FAILED);

    private final Lane lane;
    private final TaskCommands tasks;
    private final EarlyCommands early;
    private final PilotRegistry pilots;
    private final Answers answers;

    public Commands(Lane lane, TaskCommands tasks, EarlyCommands early, PilotRegistry pilots, Answers answers) {
        this.lane = lane;
        this.tasks = tasks;
        this.early = early;
        this.pilots = pilots;
        this.answers = answers;
    }

    public void arrived(Command command) {
        if (lane.seen.isCommandKnown(command.id())) {
            answers.repeated(command);
        } else if (command instanceof Command.AboutTask about && isEarly(about)) {
            early.wait(about);
        } else if (!(command instanceof Command.AboutTask about
                && needsReports(about)
                && early.waitForReports(about))) {
            answers.of(command, () -> apply(command));
        }
    }

    /** Whether its task may still come. */
    private boolean isEarly(Command.AboutTask command) {
        String uid = command.taskUid();
        return !lane.tasks.containsKey(uid) && !lane.unreadable.containsKey(uid) && lane.seen.closedTask(uid) == null;
    }

    /**
     * Whether reports that wait in the broker after a start may be about jobs that this command is about: a soft close would cancel what is
     * over, and what has failed would not be tried again.
     */
    private boolean needsReports(Command.AboutTask command) {
        OpenTask task = lane.tasks.get(command.taskUid());
        return task != null
                && task.aside == null
                && !task.progress.closing
                && (lane.isCatchingUp() || task.commandWaits)
                && ABOUT_JOBS.contains(command.type());
    }

    private boolean apply(Command command) {
        if (command instanceof Command.AboutTask about) {
            return aboutTask(about);
        } else if (command instanceof Command.Limit limit) {
            return limit(limit);
        } else if (command instanceof Command.PoolAction action) {
            return pool(action);
        }
        return pilots.command((Command.PilotAction) command);
    }

    private boolean aboutTask(Command.AboutTask command) {
        OpenTask task = lane.tasks.get(command.taskUid());
        if (task != null) {
            boolean applied = tasks.apply(task, command);
            lane.seen.commandTaken(command.id());
            return applied;
        } else if (lane.unreadable.containsKey(command.taskUid())) {
            throw new Refused(
                    "task_uid",
                    "task '" + command.taskUid() + "' is set aside, because its state cannot be read: "
                            + lane.unreadable.get(command.taskUid()));
        }
        throw new Refused("task_uid", "task '" + command.taskUid() + "' is closed");
    }

    /** A command has waited for as long as it may. */
    public void due(Command.AboutTask command) {
        OpenTask task = lane.tasks.get(command.taskUid());
        if (early.isWaiting(command) && task != null) {
            // If Weir fails at it, the task is set aside, and the command is refused the next time.
            lane.suspect = task;
            waitIsOver(task);
        } else if (early.isWaiting(command)) {
            early.giveUp(command);
        }
    }

    private boolean applyLate(OpenTask task, Command.AboutTask command) {
        if (task.aside != null) {
            throw new Refused(
                    "task_uid",
                    "task '" + command.taskUid() + "' was set aside meanwhile: " + task.aside + "; send it again");
        }
        return tasks.apply(task, command);
    }

    /** The task has come, or the reports that waited were read: commands that waited for that apply, in the order in which they were given. */
    public void waitIsOver(OpenTask task) {
        for (Command.AboutTask command : early.take(task)) {
            lane.seen.commandTaken(command.id());
            try {
                answers.of(command, () -> applyLate(task, command));
            } catch (Refused e) {
                early.reject(command, "command '" + command.id() + "': " + e.getMessage(), e.field());
            }
        }
    }

    private boolean limit(Command.Limit command) {
        if (!lane.groups.hasRoomFor(command.group())) {
            throw new Refused(
                    "group",
                    "there are " + lane.groups.most()
                            + " groups (weir.scheduling.max-groups), so no other one is limited;"
                            + " raise that number, or lift limits that are not needed any more: their groups count"
                            + " until weir.scheduling.command-memory has passed");
        }
        String missing = lane.groups.keys().missingRule(command.group());
        if (missing != null && !lane.groups.isKnown(command.group())) {
            throw new Refused(
                    "group",
                    "no file is in group '" + command.group()
                            + "', and none will come: no rule makes such groups. Add '"
                            + missing
                            + "' to weir.scheduling.group-rules and restart; the rule holds for files that are read"
                            + " from then on");
        }
        GroupLimit limit = new GroupLimit(
                command.maxInFlight() == null ? GroupLimit.UNLIMITED : command.maxInFlight(),
                command.maxStarts() == null ? GroupLimit.UNLIMITED : command.maxStarts(),
                command.maxStarts() == null ? null : Duration.ofSeconds(command.windowS()));
        lane.seen.commandTaken(command.id());
        return lane.groups.command(command.group(), limit, lane.givenAt(command.at()), lane.now());
    }

    private boolean pool(Command.PoolAction command) {
        Pool pool = lane.pools.get(command.pool());
        if (pool == null) {
            throw new Refused("pool", "there is no pool '" + command.pool() + "'");
        }
        lane.seen.commandTaken(command.id());
        long at = lane.givenAt(command.at());
        if (lane.isOlder(at, pool.record.commandAt())) {
            return false;
        }
        PoolRecord.Use use = switch (command.type()) {
            case POOL_PAUSE -> PoolRecord.Use.PAUSED;
            case POOL_DRAIN -> PoolRecord.Use.DRAINING;
            default -> PoolRecord.Use.NORMAL;
        };
        pool.record = new PoolRecord(use, at);
        lane.work.put(Tables.POOL, pool.name, pool.record);
        lane.poolChanged(pool);
        return true;
    }
}
