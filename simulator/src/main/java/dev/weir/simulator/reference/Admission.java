package dev.weir.simulator.reference;

import dev.weir.protocol.TaskState;
import dev.weir.scheduler.options.AdmissionOptions;
import java.util.Comparator;
import java.util.function.Predicate;

/**
 * Which tasks are interleaved: at most {@code max-active-tasks} of a pool. The others wait by time of arrival, less {@code wait-per-rank} for each
 * rank, then by arrival; {@code read-ahead} more may read their first page. While DSM is silent, tasks that have been read go before.
 */
final class Admission {

    private final Model model;

    Admission(Model model) {
        this.model = model;
    }

    /** The task wants a slot, if it can use one. */
    void enqueue(RefTask task) {
        boolean has = task.waitsForSlot || task.readsAhead || task.hasSlot;
        if (!has && task.goesOn() && !task.isUsedUp()) {
            task.waitsForSlot = true;
            rankChanged(task);
        }
    }

    void rankChanged(RefTask task) {
        double perRank = model.options.admission().waitPerRank().toMillis();
        task.admissionKey = task.acceptedAt - task.base * perRank;
    }

    void fill(RefPool pool) {
        for (RefTask next = next(pool); next != null; next = next(pool)) {
            next.waitsForSlot = false;
            if (next.total < 0) {
                next.readsAhead = true;
                next.pageAsked = true;
                model.expected.add("ask for the first page of " + next.spec.uid());
                continue;
            }
            next.hasSlot = true;
            if (!next.wasActive) {
                next.wasActive = true;
                model.announce(next, TaskState.ACTIVE);
            }
        }
    }

    private RefTask next(RefPool pool) {
        AdmissionOptions options = model.options.admission();
        long active = model.tasksOf(pool).filter(task -> task.hasSlot).count();
        long ahead = model.tasksOf(pool).filter(task -> task.readsAhead).count();
        boolean isFree = active < options.maxActiveTasks();
        RefTask first = first(pool, task -> true);
        if (first == null) {
            return null;
        }
        boolean mayRead = active + ahead < options.maxActiveTasks() + options.readAhead();
        if (first.total < 0 ? mayRead : isFree) {
            return first;
        }
        return pool.dsmIsSilent && isFree ? first(pool, task -> task.total >= 0) : null;
    }

    private RefTask first(RefPool pool, Predicate<RefTask> which) {
        return model.tasksOf(pool)
                .filter(task -> task.waitsForSlot)
                .filter(which)
                .min(Comparator.<RefTask>comparingDouble(task -> task.admissionKey)
                        .thenComparingInt(task -> task.arrival))
                .orElse(null);
    }
}
