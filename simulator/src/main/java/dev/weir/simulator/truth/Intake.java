package dev.weir.simulator.truth;

import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.scenario.DatasetPlan;

/** Tasks that come, and the pages of their datasets. */
final class Intake {

    private final State state;
    private final Commands commands;

    Intake(State state, Commands commands) {
        this.state = state;
        this.commands = commands;
    }

    void task(Context context, Task task) {
        TaskTruth known = state.tasks.get(task.uid());
        if (known != null) {
            boolean same = known.task.equals(task);
            context.refusal =
                    same ? Context.Refusal.NEVER : known.terminal == null ? Context.Refusal.MUST : Context.Refusal.MAY;
        } else if (state.openOutputs.containsKey(task.datOutUid()) || state.closedOutputs.contains(task.datOutUid())) {
            context.refusal = Context.Refusal.MUST;
        } else {
            context.accepting = task;
            context.expired += commands.refusableWaiting(task.uid());
        }
    }

    void accept(Context context, Task task) {
        DatasetPlan dataset = state.scenario.datasets().get(task.datInUid());
        TaskTruth truth = new TaskTruth(task, dataset, context.now, state.tasks.size());
        state.tasks.put(task.uid(), truth);
        state.openOutputs.put(task.datOutUid(), task.uid());
        commands.applyWaiting(truth, context);
    }

    void page(Context context, Event.PageArrived page) {
        TaskTruth task = state.tasks.get(page.taskUid());
        boolean asked = state.asked.remove(page.taskUid() + "/" + page.offset());
        if (!asked || task == null || task.isStopped()) {
            return;
        }
        state.pools.get(task.pool).dsmIsSilent = false;
        long total = page.page().total();
        int size = page.page().data().size();
        boolean wrong = task.toldTotal >= 0 && total != task.toldTotal || size == 0 && page.offset() < total;
        task.toldTotal = total;
        if (wrong) {
            task.broken = true;
        } else if (page.offset() <= task.readFiles) {
            int before = task.readFiles;
            task.readFiles = (int) Math.max(task.readFiles, page.offset() + size);
            task.fresh = 0;
            java.util.Arrays.fill(task.freshIn, 0);
            for (JobTruth job : task.jobs) {
                job.readAt = (long) job.position * task.filesPerJob >= before ? context.now : job.readAt;
                if (!job.touched && task.isRead(job)) {
                    task.fresh++;
                    task.freshIn[task.groupSetOf(job)]++;
                }
            }
        }
    }

    void pageFailed(Context context, Event.PageFailed failed) {
        TaskTruth task = state.tasks.get(failed.taskUid());
        boolean asked = state.asked.contains(failed.taskUid() + "/" + failed.offset());
        if (failed.permanent() && asked && task != null && task.terminal == null && !task.cancelled && !task.closing) {
            task.broken = true;
        }
    }
}
