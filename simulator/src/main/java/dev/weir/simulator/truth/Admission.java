package dev.weir.simulator.truth;

import dev.weir.protocol.PageRequest;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AdmissionOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Which tasks are interleaved: never more than may be, unless all that have a place wait for full groups; no place is free while one waits for it, and who has waited longest for its
 * rank comes first. A task that waits is worth one rank more for each {@code wait-per-rank}; tasks that are paused, that wait for DSM or
 * that have released all their files hold no place. The place of a task is told by {@code active}, except when it had lost it to DSM's
 * silence: then it is known again from its next fresh file. While DSM is silent, tasks whose files are here go before those whose are not.
 */
final class Admission {

    private static final String LIMIT = "no more tasks are interleaved than may be";

    private final State state;
    private final AdmissionOptions options;
    private final KeptPlaces keptPlaces;
    /** Tasks that were given a place in the present event, in order. */
    private final List<TaskTruth> admitted = new ArrayList<>();
    /** Tasks without a place that asked for their first page in it though as many as may read or have a place. */
    private final List<TaskTruth> asking = new ArrayList<>();

    Admission(State state) {
        this.state = state;
        options = state.scenario.options().admission();
        keptPlaces = new KeptPlaces(state);
    }

    void begin(Event event) {
        admitted.clear();
        asking.clear();
        if (event instanceof Event.PageFailed failed && !failed.permanent()) {
            silent(failed.taskUid(), failed.offset());
        }
    }

    /** DSM does not give the page that the task was to have. */
    private void silent(String uid, long offset) {
        TaskTruth task = state.tasks.get(uid);
        if (task == null || !state.asked.contains(key(uid, offset)) || task.isStopped()) {
            return;
        }
        task.waitsForDsm = true;
        state.pools.get(task.pool).dsmIsSilent = true;
        waitsWithoutPlace(task);
    }

    /** What it has goes on while DSM is silent; then its place is for others. */
    private static void waitsWithoutPlace(TaskTruth task) {
        if (isUsedUp(task)) {
            task.comesBack |= task.place != TaskTruth.Place.NONE;
            task.place = TaskTruth.Place.NONE;
        } else if (task.waitsForDsm && !task.dataset.isReadable() && task.place == TaskTruth.Place.SURE) {
            // A Merge job that is whole here lacks files for the core, which was told of more than there are.
            task.place = TaskTruth.Place.PERHAPS;
        }
    }

    private static String key(String uid, long offset) {
        return uid + "/" + offset;
    }

    /** The core asks for a page; asked for again, the first request was in vain. */
    void asked(PageRequest page) {
        boolean again = !state.asked.add(key(page.taskUid(), page.offset()));
        TaskTruth task = state.tasks.get(page.taskUid());
        if (again) {
            silent(page.taskUid(), page.offset());
        } else if (task != null && !task.isLoaded() && task.place == TaskTruth.Place.NONE) {
            task.waitsForDsm = false;
            int busy = 0;
            for (TaskTruth other : state.tasks.values()) {
                boolean counts = other.pool.equals(task.pool) && (holds(other) || isReadAhead(other));
                busy += counts ? 1 : 0;
            }
            if (busy > options.maxActiveTasks() + options.readAhead()) {
                asking.add(task);
            }
        }
    }

    /** One more first page was asked for than may be: by one alone, while all that have a place wait for groups, but who just got it. */
    private void readsAhead(TaskTruth task, long now) {
        boolean alone = asking.size() == 1;
        for (TaskTruth other : state.tasks.values()) {
            if (other != task && other.pool.equals(task.pool) && !admitted.contains(other)) {
                alone &= holds(other) ? waitsForGroups(other, now) : !isReadAhead(other);
            }
        }
        Violation.check(alone, "no more tasks read ahead than may", task.task.uid(), Counts.of(task));
    }

    private boolean isReadAhead(TaskTruth task) {
        return !task.isLoaded() && !task.waitsForDsm && !task.isStopped() && isFirstPageAsked(task);
    }

    private boolean isFirstPageAsked(TaskTruth task) {
        return state.asked.contains(key(task.task.uid(), 0));
    }

    private static boolean holds(TaskTruth task) {
        return task.place == TaskTruth.Place.SURE && task.isRunning() && !task.isAllReleased() && !isUsedUp(task);
    }

    private static boolean isUsedUp(TaskTruth task) {
        return task.waitsForDsm && task.fresh == 0;
    }

    void told(TaskEvent event) {
        TaskTruth task = state.tasks.get(event.taskUid());
        if (event.state() == TaskState.ACTIVE && task != null && !task.isAllReleased()) {
            admitted.add(task);
            task.place = TaskTruth.Place.SURE;
        }
    }

    /** A file goes out for the first time: only of a task that has a place. */
    void freshReleased(TaskTruth task) {
        Violation.check(
                task.place != TaskTruth.Place.NONE,
                "only tasks with a place among the active ones start fresh files",
                task.task.uid(),
                Counts.of(task));
        task.place = TaskTruth.Place.SURE;
    }

    /** After the event, when places have been given back and taken. */
    void end(long now) {
        for (TaskTruth task : state.tasks.values()) {
            if (task.place != TaskTruth.Place.NONE && (!task.isRunning() || task.isAllReleased())) {
                task.place = TaskTruth.Place.NONE;
            }
            waitsWithoutPlace(task);
            if (task.paused) {
                task.comesBack = false;
            }
        }
        for (PoolTruth pool : state.pools.values()) {
            places(pool, now);
        }
        admitted.forEach(this::inTurn);
        asking.forEach(task -> readsAhead(task, now));
    }

    /** A page has come, and was taken if it was waited for. */
    void pageCame(TaskTruth task) {
        if (task != null && task.waitsForDsm && !state.asked.contains(key(task.task.uid(), task.readFiles))) {
            task.waitsForDsm = false;
            if (task.comesBack && task.place == TaskTruth.Place.NONE) {
                task.place = TaskTruth.Place.PERHAPS;
            }
            task.comesBack = false;
        }
    }

    private void places(PoolTruth pool, long now) {
        int sure = 0;
        int most = 0;
        int reading = 0;
        int idle = 0;
        int more = 0;
        boolean limited = false;
        TaskTruth first = null;
        for (TaskTruth task : state.tasks.values()) {
            if (task.terminal != null || !task.pool.equals(pool.name)) {
                continue;
            }
            sure += task.place == TaskTruth.Place.SURE ? 1 : 0;
            idle += task.place == TaskTruth.Place.SURE && waitsForGroups(task, now) ? 1 : 0;
            more += admitted.contains(task) ? 1 : 0;
            limited |= task.place == TaskTruth.Place.SURE && !task.simple;
            most += task.place != TaskTruth.Place.NONE ? 1 : 0;
            reading += !task.isLoaded() && isFirstPageAsked(task) ? 1 : 0;
            first = waits(task) && (first == null || key(task) < key(first)) ? task : first;
        }
        Violation.check(
                sure <= options.maxActiveTasks() || (more == 0 ? limited : idle >= sure - 1),
                LIMIT,
                "pool",
                pool.name,
                "has",
                sure,
                "of",
                options.maxActiveTasks(),
                "after one more was",
                admitted);
        boolean free = first != null
                && (first.isLoaded()
                        ? most < options.maxActiveTasks()
                        : most == sure && most + reading < options.maxActiveTasks() + options.readAhead());
        Violation.check(
                !free,
                "no place among the active tasks stays free while one waits for it",
                "pool",
                pool.name,
                "has",
                most,
                "of",
                options.maxActiveTasks(),
                "and waiting is",
                first);
    }

    private boolean waitsForGroups(TaskTruth task, long now) {
        return !task.simple && !task.hasFreshReady() && !keptPlaces.leaveRoomForOneOf(task, now);
    }

    /** Whether it waits for a place, or to read its first page. */
    private boolean waits(TaskTruth task) {
        if (task.place != TaskTruth.Place.NONE || !task.isRunning() || task.isAllReleased()) {
            return false;
        }
        return task.isLoaded()
                ? !task.waitsForDsm || task.fresh > 0 && task.dataset.isReadable()
                : !isFirstPageAsked(task);
    }

    /** The smaller it is, the sooner a task comes: its time of arrival, less what its rank is worth. */
    private double key(TaskTruth task) {
        return task.acceptedAt - task.baseRank * options.waitPerRank().toMillis();
    }

    private void inTurn(TaskTruth task) {
        for (TaskTruth other : state.tasks.values()) {
            if (other == task || !other.pool.equals(task.pool) || other.terminal != null || !waits(other)) {
                continue;
            }
            if (!other.isLoaded() && state.pools.get(task.pool).dsmIsSilent) {
                continue;
            }
            // One that came back from a pause has waited since then at least, and since it arrived at most.
            double latest = key(other) + other.waitsSince - other.acceptedAt;
            boolean before = latest < key(task)
                    || latest == key(task) && other.waitsSince == other.acceptedAt && other.arrival < task.arrival;
            Violation.check(
                    !before,
                    "those that wait for a place go by rank and time, then by arrival",
                    task.task.uid(),
                    "of rank",
                    task.baseRank,
                    "went before",
                    other.task.uid(),
                    "of rank",
                    other.baseRank,
                    "here for",
                    task.acceptedAt - other.waitsSince,
                    "ms more");
        }
    }
}
