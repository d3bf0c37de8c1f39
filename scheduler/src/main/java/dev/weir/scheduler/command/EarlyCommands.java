package dev.weir.scheduler.command;

import dev.weir.engine.Refused;
import dev.weir.engine.Timer;
import dev.weir.protocol.Command;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.TimerKind;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingCommand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Commands that wait for a limited time: about an unknown task until it comes, then they are rejected; after a start about a known one until
 * the reports that waited have been read.
 */
public final class EarlyCommands {
    /** All of them apply in the event in which their task comes. */
    private static final int MOST_OF_A_TASK = 100;

    private final Lane lane;
    private final Answers answers;
    /** By task uid, then command id. */
    private final Map<String, Map<String, WaitingCommand>> waiting = new LinkedHashMap<>();

    private int count;

    public EarlyCommands(Lane lane, Answers answers) {
        this.lane = lane;
        this.answers = answers;
    }

    /** Keeps a command until its task comes. */
    void wait(Command.AboutTask command) {
        String full =
                keep(command, lane.now() + lane.options.commands().waitForTask().toMillis());
        if (full != null) {
            throw refused(command, "there is no task '" + command.taskUid() + "', and " + full);
        }
    }

    /**
     * Keeps a command about a task that is here until the reports that waited have been read. Returns false if there is no room; one that would
     * then act before others of its task is refused.
     */
    boolean waitForReports(Command.AboutTask command) {
        String full = keep(command, Math.max(lane.now(), lane.catchesUpUntil()));
        if (full != null && waiting.containsKey(command.taskUid())) {
            throw refused(command, "task '" + command.taskUid() + "' has commands that wait: " + full);
        }
        return full == null;
    }

    /** Whether the command has neither acted nor been rejected. */
    boolean isWaiting(Command.AboutTask command) {
        return waiting.getOrDefault(command.taskUid(), Map.of()).containsKey(command.id());
    }

    /** Why no further command can wait; null when one can. */
    private String full(Command.AboutTask command) {
        if (waiting.getOrDefault(command.taskUid(), Map.of()).size() >= MOST_OF_A_TASK) {
            return MOST_OF_A_TASK + " commands wait for it already";
        }
        return count >= lane.options.commands().maxWaiting() ? "no room to wait for it" : null;
    }

    /** Lets a command wait, unless it does already. Returns why it cannot; null when it waits. */
    private String keep(Command.AboutTask command, long until) {
        if (isWaiting(command)) {
            lane.counters.ignored("command");
            return null;
        }
        String full = full(command);
        if (full != null) {
            return full;
        }
        WaitingCommand early = new WaitingCommand(command, until);
        lane.work.put(Tables.WAITING, key(command), early);
        hold(early);
        return null;
    }

    private Refused refused(Command.AboutTask command, String reason) {
        answers.refused(command, reason, "task_uid");
        return new Refused("task_uid", reason);
    }

    private static String key(Command.AboutTask command) {
        return command.taskUid() + '/' + command.id();
    }

    /** After a restore. A clock that was ahead makes no command wait for longer than it may; and what waited in the broker comes first. */
    public void restore(WaitingCommand stored) {
        long latest = lane.now() + lane.options.commands().waitForTask().toMillis();
        long until = Math.max(Math.min(stored.until(), latest), lane.messagesComeUntil());
        WaitingCommand early = new WaitingCommand(stored.command(), until);
        if (until != stored.until()) {
            lane.work.put(Tables.WAITING, key(stored.command()), early);
        }
        hold(early);
    }

    private void hold(WaitingCommand early) {
        Command.AboutTask command = early.command();
        waiting.computeIfAbsent(command.taskUid(), uid -> new LinkedHashMap<>()).put(command.id(), early);
        count++;
        OpenTask task = lane.tasks.get(command.taskUid());
        if (task != null) {
            task.commandWaits = true;
        }
        lane.timers.set(new Timer(TimerKind.EARLY_COMMAND, command), early.until());
    }

    /** The reports that waited have been read: commands about tasks that are here act with the next tick. Returns whether there are any. */
    public boolean release() {
        boolean any = false;
        for (Map<String, WaitingCommand> ofTask : waiting.values()) {
            Command.AboutTask first = ofTask.values().iterator().next().command();
            if (lane.tasks.containsKey(first.taskUid())) {
                lane.timers.set(new Timer(TimerKind.EARLY_COMMAND, first), lane.now());
                any = true;
            }
        }
        return any;
    }

    /** The task of a command has not come in time, or was rejected meanwhile. */
    void giveUp(Command.AboutTask command) {
        Map<String, WaitingCommand> ofTask = waiting.get(command.taskUid());
        ofTask.remove(command.id());
        count--;
        if (ofTask.isEmpty()) {
            waiting.remove(command.taskUid());
        }
        lane.work.remove(Tables.WAITING, key(command));
        // It was answered: a copy of it that comes later must not act after all.
        lane.seen.commandTaken(command.id());
        String why = lane.seen.closedTask(command.taskUid()) != null
                ? "is closed"
                : "has not come within " + lane.options.commands().waitForTask().toSeconds() + " s";
        String reason = "command '" + command.id() + "' is about task '" + command.taskUid() + "', which " + why;
        answers.refused(command, reason, "task_uid");
        reject(command, reason, "task_uid");
    }

    /** A command that had waited cannot be taken. */
    void reject(Command command, String reason, String field) {
        lane.counters.rejected++;
        lane.effects.add(new Effect.Reject(command, reason, field));
    }

    /** Removes and returns the commands of a task that is here, in the order in which they were given. */
    List<Command.AboutTask> take(OpenTask task) {
        Map<String, WaitingCommand> ofTask = waiting.remove(task.progress.uid);
        if (ofTask == null) {
            return List.of();
        }
        count -= ofTask.size();
        task.commandWaits = false;
        lane.agenda.settle(task);
        List<Command.AboutTask> commands = new ArrayList<>();
        ofTask.values().forEach(early -> commands.add(early.command()));
        commands.sort(Comparator.comparing(Command::at));
        for (Command.AboutTask command : commands) {
            lane.work.remove(Tables.WAITING, key(command));
        }
        return commands;
    }
}
