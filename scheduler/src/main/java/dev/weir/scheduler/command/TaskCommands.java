package dev.weir.scheduler.command;

import dev.weir.engine.Refused;
import dev.weir.protocol.Command;
import dev.weir.protocol.Order;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.job.TaskRank;
import dev.weir.scheduler.model.GivenPriority;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.WaitingFiles;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.task.Admission;
import dev.weir.scheduler.task.EarlyStop;
import dev.weir.scheduler.task.SetAside;
import dev.weir.scheduler.task.TaskEvents;
import java.util.List;

/** Commands about one task that is open. */
public final class TaskCommands {

    /** Files of all tasks that wait and have a priority by command: each takes some 150 bytes of memory. */
    static final int MOST_GIVEN = 100_000;

    private final Lane lane;
    private final TaskEvents events;
    private final Admission admission;
    private final SetAside setAside;
    private final EarlyStop stops;
    private final TaskRank ranks;
    private final WaitingFiles files;
    private final FailedRetries retries;

    public TaskCommands(
            Lane lane,
            TaskEvents events,
            Admission admission,
            SetAside setAside,
            EarlyStop stops,
            TaskRank ranks,
            WaitingFiles files,
            FailedRetries retries) {
        this.lane = lane;
        this.events = events;
        this.admission = admission;
        this.setAside = setAside;
        this.stops = stops;
        this.ranks = ranks;
        this.files = files;
        this.retries = retries;
    }

    /** False when a command about the same thing that was given later is here already. */
    boolean apply(OpenTask task, Command.AboutTask command) {
        boolean takesUp = command.type() == Command.Type.RESUME
                || command.type() == Command.Type.CANCEL
                || command.type() == Command.Type.CLOSE;
        boolean resumes = command.type() == Command.Type.RESUME;
        boolean isEnding = task.progress.stop != Stop.NONE;
        if (takesUp && setAside.endFor(task, !resumes) && (task.progress.closing || resumes && isEnding)) {
            return true;
        }
        if (task.progress.closing) {
            throw new Refused("task_uid", "task '" + task.progress.uid + "' is closing");
        }
        return switch (command.type()) {
            case RANK -> rank(task, (Command.Rank) command);
            case CANCEL -> {
                stops.cancel(task, "cancelled by " + author(command));
                yield true;
            }
            case CLOSE -> {
                stops.close(task, "closed by " + author(command));
                yield true;
            }
            case PAUSE, RESUME -> pause(task, command);
            case RETRY_FAILED -> retryFailed(task);
            case PRIORITY -> priority(task, (Command.Priority) command);
            default -> throw new IllegalStateException(command.type() + " is not about a task");
        };
    }

    private static String author(Command command) {
        return command.by() == null ? "command " + command.id() : command.by();
    }

    private boolean rank(OpenTask task, Command.Rank command) {
        Progress p = task.progress;
        long at = lane.givenAt(command.at());
        if (lane.isOlder(at, p.rankCommandAt)) {
            return false;
        }
        p.rankCommandAt = at;
        p.base = command.rank();
        ranks.change(task, command.rank());
        admission.moved(task);
        return true;
    }

    private boolean pause(OpenTask task, Command command) {
        Progress p = task.progress;
        if (p.stop != Stop.NONE) {
            throw new Refused("task_uid", "task '" + p.uid + "' is ending: it is neither paused nor resumed");
        }
        long at = lane.givenAt(command.at());
        if (lane.isOlder(at, p.pauseCommandAt)) {
            return false;
        }
        p.pauseCommandAt = at;
        lane.changed(task);
        boolean pause = command.type() == Command.Type.PAUSE;
        if (p.paused == pause) {
            return true;
        }
        p.paused = pause;
        p.pausedBy = pause ? author(command) : null;
        if (pause) {
            admission.leave(task);
            events.announce(task, TaskState.PAUSED, "paused by " + author(command));
            return true;
        }
        // Announced as active again when it has a slot, or now if it needs none.
        p.everActive = p.everActive && p.listed && p.released == p.jobs;
        if (p.everActive) {
            events.announce(task, TaskState.ACTIVE, null);
        }
        admission.enqueue(task);
        task.readinessChanged();
        lane.agenda.fill(task.pool);
        return true;
    }

    private boolean priority(OpenTask task, Command.Priority command) {
        Progress p = task.progress;
        long position = command.position();
        if (!p.indexed || task.spec().order() != Order.PRIORITY) {
            throw new Refused("task_uid", "task '" + p.uid + "' does not order its files by priority");
        }
        if (position >= p.known || p.stop != Stop.NONE || task.isReleased(position)) {
            throw new Refused("position", "no file of task '" + p.uid + "' waits at position " + position);
        }
        GivenPriority given = new GivenPriority(command.priority(), lane.givenAt(command.at()));
        GivenPriority before = task.given.of(position);
        if (before != null && lane.isOlder(given.at(), before.at())) {
            return false;
        }
        if (before == null && lane.givenPriorities >= MOST_GIVEN) {
            throw new Refused(
                    "position",
                    MOST_GIVEN + " files that wait have a priority by command, no other one gets one;"
                            + " send this command again later, or give the priorities in the dataset");
        }
        task.given.put(position, given);
        lane.work.put(Tables.PRIORITY, Tables.key(p.uid, position), given.toString());
        int now = task.priorityNow(position, command.priority());
        List<String> groups = files.file(task, position).groups();
        task.backlog.reprioritise(position, now, groups, task);
        return true;
    }

    private boolean retryFailed(OpenTask task) {
        if (task.progress.stop != Stop.NONE) {
            throw new Refused("task_uid", "task '" + task.progress.uid + "' is ending: nothing of it is tried again");
        }
        retries.begin(task);
        return true;
    }
}
