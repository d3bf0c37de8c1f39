package dev.weir.simulator.reference;

import dev.weir.protocol.Command;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.TaskState;
import dev.weir.simulator.reference.RefJob.Phase;
import dev.weir.simulator.reference.RefTask.Stop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Commands: each counts once, an older one never overrides a newer one about the same thing, and one that is early waits for its task. */
final class Steering {

    private record Waiting(Command.AboutTask command, long until) {}

    private final Model model;
    private final Admission admission;
    private final Attempts attempts;
    private final Fleet fleet;
    private final Set<String> taken = new HashSet<>();
    private final List<Waiting> waiting = new ArrayList<>();

    Steering(Model model, Admission admission, Attempts attempts, Fleet fleet) {
        this.model = model;
        this.admission = admission;
        this.attempts = attempts;
        this.fleet = fleet;
    }

    void arrived(Command command) {
        if (taken.contains(command.id())) {
            return;
        }
        if (command instanceof Command.AboutTask about) {
            aboutTask(about);
        } else if (command instanceof Command.PoolAction action) {
            pool(action);
        } else if (command instanceof Command.PilotAction action) {
            fleet.command(action, givenAt(action));
        } else if (command instanceof Command.Limit limit && model.scenario.lacksRule(limit.group())) {
            model.refuse("group");
        } else {
            taken.add(command.id());
        }
    }

    private long givenAt(Command command) {
        return Math.min(command.at().toEpochMilli(), model.now);
    }

    private void aboutTask(Command.AboutTask command) {
        RefTask task = model.tasks.get(command.taskUid());
        if (task == null) {
            boolean known = waiting.stream().anyMatch(one -> one.command.id().equals(command.id()));
            if (!known) {
                waiting.add(new Waiting(
                        command,
                        model.now + model.options.commands().waitForTask().toMillis()));
            }
        } else if (apply(task, command)) {
            taken.add(command.id());
        }
    }

    /** Those that have waited for too long are refused. */
    void tick() {
        waiting.removeIf(one -> {
            boolean over = one.until <= model.now;
            if (over) {
                taken.add(one.command.id());
                model.refuse("task_uid");
            }
            return over;
        });
    }

    void taskCame(RefTask task) {
        List<Command.AboutTask> mine = new ArrayList<>();
        waiting.removeIf(one -> one.command.taskUid().equals(task.spec.uid()) && mine.add(one.command));
        mine.sort(Comparator.comparing(Command::at));
        for (Command.AboutTask command : mine) {
            taken.add(command.id());
            apply(task, command);
        }
    }

    private boolean apply(RefTask task, Command.AboutTask command) {
        String refusal = task.ended ? "task_uid" : perform(task, command);
        if (refusal != null) {
            model.refuse(refusal);
        }
        return refusal == null;
    }

    /** Returns the field at fault; null for none. */
    private String perform(RefTask task, Command.AboutTask command) {
        long at = givenAt(command);
        switch (command.type()) {
            case RANK -> {
                double rank = ((Command.Rank) command).rank();
                if (at >= task.rankAt) {
                    task.rankAt = at;
                    task.base = rank;
                    task.rank = rank;
                    admission.rankChanged(task);
                }
            }
            case PAUSE, RESUME -> {
                if (task.stop != Stop.NONE) {
                    return "task_uid";
                }
                pause(task, command.type() == Command.Type.PAUSE, at);
            }
            case CANCEL -> attempts.stop(task, Stop.CANCEL);
            case CLOSE -> attempts.stop(task, Stop.CLOSE);
            case RETRY_FAILED -> {
                if (task.stop != Stop.NONE) {
                    return "task_uid";
                }
                retryFailed(task);
            }
            default -> {
                return priority(task, (Command.Priority) command, at);
            }
        }
        return null;
    }

    private void pause(RefTask task, boolean pause, long at) {
        if (at < task.pauseAt) {
            return;
        }
        task.pauseAt = at;
        if (task.paused == pause) {
            return;
        }
        task.paused = pause;
        if (pause) {
            task.waitsForSlot = false;
            task.hasSlot = false;
            model.announce(task, TaskState.PAUSED);
        } else {
            // Announced as active again when it has a slot.
            task.wasActive &= task.isAllReleased();
            if (task.wasActive) {
                model.announce(task, TaskState.ACTIVE);
            }
            admission.enqueue(task);
        }
    }

    private void retryFailed(RefTask task) {
        attempts.closeIfDone(task);
        for (RefJob job : task.jobs) {
            if (job.phase == Phase.FAILED || job.phase == Phase.KILLED) {
                job.become(Phase.DUE);
                job.dueSince = model.event;
                job.dueAt = 0;
                job.payloadFailures = 0;
                job.systemFailures = 0;
                job.task.failedBySystem -= job.systemFailingSince > 0 ? 1 : 0;
                job.systemFailingSince = 0;
                job.missingSince = 0;
                job.orderedStops = 0;
                job.order = RefJob.Order.NONE;
                job.pilot = null;
                model.changed.add(job);
            }
        }
    }

    private static String priority(RefTask task, Command.Priority command, long at) {
        if (task.spec.mode() == Mode.MERGE || task.spec.order() != Order.PRIORITY) {
            return "task_uid";
        }
        boolean known = command.position() < task.jobs.size();
        RefJob job = known ? task.jobs.get((int) command.position()) : null;
        if (job == null || task.stop != Stop.NONE || job.phase != Phase.WAITING) {
            return "position";
        }
        if (job.givenPriority == 0 || at >= job.givenAt) {
            job.givenPriority = command.priority();
            job.givenAt = at;
        }
        return null;
    }

    private void pool(Command.PoolAction command) {
        taken.add(command.id());
        RefPool pool = model.pools.get(command.pool());
        long at = givenAt(command);
        if (at >= pool.usedAt) {
            pool.usedAt = at;
            pool.use = switch (command.type()) {
                case POOL_PAUSE -> RefPool.Use.PAUSED;
                case POOL_DRAIN -> RefPool.Use.DRAINING;
                default -> RefPool.Use.NORMAL;
            };
        }
    }
}
