package dev.weir.scheduler.command;

import dev.weir.engine.Refused;
import dev.weir.protocol.Command;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.Outcome.About;
import dev.weir.protocol.Outcome.Kind;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers senders with the outcome of their commands and tasks. A command that goes to all lanes is answered by the first. */
public final class Answers {

    private final Lane lane;

    public Answers(Lane lane) {
        this.lane = lane;
    }

    /**
     * Takes a task and answers its sender.
     *
     * @param taking gives null when the task is known; may throw {@link Refused}, which is told and passed on
     */
    public OpenTask of(Task task, Supplier<OpenTask> taking) {
        try {
            OpenTask taken = taking.get();
            if (taken == null) {
                tell(About.TASK, task.uid(), Kind.IGNORED, "task '" + task.uid() + "' was sent before", null);
            } else {
                tell(About.TASK, task.uid(), Kind.APPLIED, null, null);
            }
            return taken;
        } catch (Refused e) {
            tell(About.TASK, task.uid(), Kind.REFUSED, e.getMessage(), e.field());
            throw e;
        }
    }

    /**
     * Applies a command and answers its sender.
     *
     * @param applying false when a command about the same thing that was given later is here already; may throw {@link Refused},
     *     which is told and passed on
     */
    void of(Command command, BooleanSupplier applying) {
        try {
            if (applying.getAsBoolean()) {
                tell(command, Kind.APPLIED, null, null);
                show(command, Kind.APPLIED, null);
            } else {
                lane.counters.ignored("older command");
                String reason = "a command about the same thing that was given later has been applied";
                tell(command, Kind.IGNORED, reason, null);
                show(command, Kind.IGNORED, reason);
            }
        } catch (Refused e) {
            refused(command, e.getMessage(), e.field());
            throw e;
        }
    }

    void repeated(Command command) {
        lane.counters.ignored("command");
        tell(command, Kind.IGNORED, "command '" + command.id() + "' was taken before", null);
    }

    void refused(Command command, String reason, String field) {
        tell(command, Kind.REFUSED, reason, field);
        show(command, Kind.REFUSED, reason);
    }

    /** For the history of its task; a repetition must not hide what came of the first. */
    private void show(Command command, Kind kind, String reason) {
        if (command instanceof Command.AboutTask about && lane.options.mirror().enabled()) {
            lane.effects.add(new Effect.ShowRow(
                    CommandRow.of(about, kind, reason, Instant.ofEpochMilli(lane.now()), lane.nextVersion(0))));
        }
    }

    private void tell(Command command, Kind kind, String reason, String field) {
        if (lane.number == 0 || command instanceof Command.AboutTask) {
            tell(About.COMMAND, command.id(), kind, reason, field);
        }
    }

    private void tell(About about, String id, Kind kind, String reason, String field) {
        lane.effects.add(
                new Effect.Answer(new Outcome(about, id, kind, Instant.ofEpochMilli(lane.now()), reason, field)));
    }
}
