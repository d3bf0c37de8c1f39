package dev.weir.scheduler.command;

import dev.weir.engine.Refused;
import dev.weir.engine.Timer;
import dev.weir.protocol.Command;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.TimerKind;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.state.WaitingCommand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Commands about unknown tasks: they wait for their task for a limited time, then they are rejected. */
public final class EarlyCommands {
    /** All of them apply in the event in which their task comes. */
    private static final int MOST_OF_A_TASK = 100;

    private final Lane lane;
    private final Answers answers;
    /** By task uid, then command id. */
    private final Map<String, Map<String, WaitingCommand>> waiting = new HashMap<>();

    private int count;

    public EarlyCommands(Lane lane, Answers answers) {
        this.lane = lane;
        this.answers = answers;
    }

    /** Keeps a command until its task comes. */
    void wait(Command.AboutTask command) {
        Map<String, WaitingCommand> ofTask = waiting.get(command.taskUid());
        if (ofTask != null && ofTask.containsKey(command.id())) {
            lane.counters.ignored("command");
            return;
        }
        if (ofTask != null && ofTask.size() >= MOST_OF_A_TASK) {
            throw refused(command, MOST_OF_A_TASK + " commands wait for it already");
        }
        if (count >= lane.options.commands().maxWaiting()) {
            throw refused(command, "no room to wait for it");
        }
        long until = lane.now() + lane.options.commands().waitForTask().toMillis();
        WaitingCommand early = new WaitingCommand(command, until);
        lane.work.put(Tables.WAITING, key(command), early);
        hold(early);
    }

    private Refused refused(Command.AboutTask command, String why) {
        String reason = "there is no task '" + command.taskUid() + "', and " + why;
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
        lane.timers.set(new Timer(TimerKind.EARLY_COMMAND, command), early.until());
    }

    /** The task of a command has not come in time. */
    public void giveUp(Command.AboutTask command) {
        Map<String, WaitingCommand> ofTask = waiting.get(command.taskUid());
        if (ofTask == null || ofTask.remove(command.id()) == null) {
            return;
        }
        count--;
        if (ofTask.isEmpty()) {
            waiting.remove(command.taskUid());
        }
        lane.work.remove(Tables.WAITING, key(command));
        // It was answered: a copy of it that comes later must not act after all.
        lane.seen.commandTaken(command.id());
        String reason = "command '" + command.id() + "' is about task '" + command.taskUid()
                + "', which has not come within "
                + lane.options.commands().waitForTask().toSeconds() + " s";
        answers.refused(command, reason, "task_uid");
        reject(command, reason, "task_uid");
    }

    /** A command that had waited cannot be taken. */
    void reject(Command command, String reason, String field) {
        lane.counters.rejected++;
        lane.effects.add(new Effect.Reject(command, reason, field));
    }

    /** The task is here: removes and returns its commands, in the order in which they were given. */
    List<Command.AboutTask> take(String taskUid) {
        Map<String, WaitingCommand> ofTask = waiting.remove(taskUid);
        if (ofTask == null) {
            return List.of();
        }
        count -= ofTask.size();
        List<Command.AboutTask> commands = new ArrayList<>();
        ofTask.values().forEach(early -> commands.add(early.command()));
        commands.sort(Comparator.comparing(Command::at));
        for (Command.AboutTask command : commands) {
            lane.work.remove(Tables.WAITING, key(command));
        }
        return commands;
    }
}
