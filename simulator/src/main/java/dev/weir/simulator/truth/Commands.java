package dev.weir.simulator.truth;

import dev.weir.protocol.Command;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.scheduler.options.GroupLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What commands must lead to: each counts once, an older one never overrides a newer one about the same thing. */
final class Commands {

    private final State state;

    Commands(State state) {
        this.state = state;
    }

    void begin(Command command, Context context) {
        if (!state.commandIds.add(command.id())) {
            return;
        }
        long at = Math.min(command.at().toEpochMilli(), context.now);
        if (command instanceof Command.AboutTask about) {
            TaskTruth task = state.tasks.get(about.taskUid());
            if (task == null) {
                state.waiting.add(new State.Waiting(about, context.now));
            } else if (task.terminal != null) {
                context.refusal = Context.Refusal.MAY;
            } else {
                apply(task, about, context);
            }
        } else if (command instanceof Command.Limit limit) {
            limit(limit, at, context);
        } else if (command instanceof Command.PoolAction action) {
            PoolTruth pool = state.pools.get(action.pool());
            if (at >= pool.pausedAt) {
                pool.pausedAt = at;
                pool.paused = action.type() != Command.Type.POOL_RESUME;
                pool.draining = action.type() == Command.Type.POOL_DRAIN;
            }
        } else if (command instanceof Command.PilotAction action) {
            pilot(action, at);
        }
    }

    private void limit(Command.Limit command, long at, Context context) {
        GroupTruth group = state.group(command.group());
        if (at >= group.limitAt) {
            group.limitAt = at;
            GroupLimit whole = new GroupLimit(
                    command.maxInFlight() == null ? GroupLimit.UNLIMITED : command.maxInFlight(),
                    command.maxStarts() == null ? GroupLimit.UNLIMITED : command.maxStarts(),
                    command.maxStarts() == null ? null : Duration.ofSeconds(command.windowS()));
            group.limit(
                    whole.ofLane(state.scenario.lane(), state.scenario.options().lanes()), context.now);
        }
    }

    private void pilot(Command.PilotAction command, long at) {
        String pilot = command.pilotId();
        if (at >= state.steeredAt.getOrDefault(pilot, Long.MIN_VALUE)) {
            state.steeredAt.put(pilot, at);
            if (command.type() == Command.Type.PILOT_INCLUDE) {
                state.unwanted.remove(pilot);
            } else {
                state.unwanted.add(pilot);
            }
        }
    }

    /** The commands that came before their task, in the order in which they were given. */
    void applyWaiting(TaskTruth task, Context context) {
        List<Command.AboutTask> mine = new ArrayList<>();
        state.waiting.removeIf(waiting -> {
            boolean about = waiting.command().taskUid().equals(task.task.uid());
            if (about) {
                mine.add(waiting.command());
            }
            return about;
        });
        mine.sort(Comparator.comparing(Command::at));
        mine.forEach(command -> apply(task, command, context));
    }

    /** Commands that wait for this task and may be refused when it comes, because nothing of it may be read yet. */
    int refusableWaiting(String taskUid) {
        return (int) state.waiting.stream()
                .map(State.Waiting::command)
                .filter(command -> command.type() == Command.Type.PRIORITY
                        && command.taskUid().equals(taskUid))
                .count();
    }

    private void apply(TaskTruth task, Command.AboutTask command, Context context) {
        long at = Math.min(command.at().toEpochMilli(), context.now);
        switch (command.type()) {
            case RANK -> {
                if (at >= task.rankAt) {
                    task.rankAt = at;
                    task.baseRank = ((Command.Rank) command).rank();
                    task.highestRank = Math.max(task.highestRank, task.baseRank);
                }
            }
            case PAUSE, RESUME -> {
                if (at >= task.pausedAt) {
                    task.pausedAt = at;
                    task.paused = command.type() == Command.Type.PAUSE;
                    task.waitsSince = task.paused ? task.waitsSince : context.now;
                }
            }
            case CANCEL -> cancel(task, context);
            case CLOSE -> {
                task.closing = true;
                context.stopping = task;
                state.cancelWaiting(task, false, context.now);
            }
            case RETRY_FAILED -> retryFailed(task, context);
            case PRIORITY -> priority(task, (Command.Priority) command, at, context);
            default -> throw new IllegalStateException(command.toString());
        }
    }

    private static void priority(TaskTruth task, Command.Priority command, long at, Context context) {
        boolean known = task.task.order() == Order.PRIORITY
                && task.task.mode() == Mode.MAP
                && command.position() < task.jobs.length;
        JobTruth job = known ? task.jobs[Math.toIntExact(command.position())] : null;
        if (job == null || !job.waits() || task.isStopped()) {
            context.refusal = Context.Refusal.MUST;
        } else if (job.givenPriority == 0 || at >= job.priorityGivenAt) {
            job.givenPriority = command.priority();
            job.priorityGivenAt = at;
        }
    }

    void cancel(TaskTruth task, Context context) {
        task.cancelled = true;
        context.stopping = task;
        state.cancelWaiting(task, true, context.now);
    }

    private void retryFailed(TaskTruth task, Context context) {
        if (task.cancelled || task.closing || task.broken) {
            context.refusal = Context.Refusal.MAY;
            return;
        }
        for (JobTruth job : task.jobs) {
            if (job.is(Statuses.FAILED | Statuses.KILLED)) {
                job.retried = true;
                state.move(job, JobStatus.COOLING, context.now);
                job.failedAt = 0;
            }
        }
    }
}
