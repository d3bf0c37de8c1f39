package dev.weir.simulator.reference;

import dev.weir.protocol.Job;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Route;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.simulator.invariant.Groups;
import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.reference.RefJob.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * While the window of a pool has room, the task whose turn it is gives a job: one to be tried again first, then the next fresh file in the
 * task's order. Where the order is open (random; of jobs that are due since the same moment) the core chooses, among those that may go.
 */
final class Dispatch {

    private static final String TURN = "the job goes out whose turn it is";
    private static final int CHUNK_GROWTH = 4;

    private final Model model;
    private final Admission admission;
    private final Fleet fleet;
    private final Map<String, Deque<Job>> sent = new HashMap<>();
    private final List<Effect.SendJob> inOrder = new ArrayList<>();

    Dispatch(Model model, Admission admission, Fleet fleet) {
        this.model = model;
        this.admission = admission;
        this.fleet = fleet;
    }

    void begin(List<Effect> effects) {
        inOrder.clear();
        model.pools.keySet().forEach(pool -> sent.put(pool, new ArrayDeque<>()));
        for (Effect effect : effects) {
            if (effect instanceof Effect.SendJob send) {
                inOrder.add(send);
                sent.get(send.pool()).add(send.job());
            }
        }
    }

    /** Where nothing is limited: exactly these jobs. */
    void fill() {
        refresh();
        for (RefPool pool : model.pools.values()) {
            Deque<Job> actual = sent.get(pool.name);
            boolean again = true;
            while (again) {
                admission.fill(pool);
                refresh();
                long slots = slots(pool);
                give(pool, actual);
                again = slots(pool) < slots;
            }
            Violation.check(actual.isEmpty(), TURN, "no turn is left in pool", pool.name, "but", actual.peekFirst());
        }
    }

    private long slots(RefPool pool) {
        return model.tasksOf(pool).filter(task -> task.hasSlot).count();
    }

    /** Who can give from now on, and who can't any more. */
    void refresh() {
        for (RefTask task : model.tasks.values()) {
            boolean ready = task.canGive();
            if (ready != task.ready) {
                task.ready = ready;
                if (ready) {
                    task.pool.policy.join(task, model.event);
                } else {
                    task.pool.policy.leave(task);
                }
            }
        }
    }

    private void give(RefPool pool, Deque<Job> actual) {
        for (int room = room(pool); room > 0 && pool.use != RefPool.Use.PAUSED; room--) {
            Job job = actual.peekFirst();
            RefTask task = pool.policy.next(job == null ? null : model.tasks.get(job.taskUid()));
            if (task == null) {
                return;
            }
            Violation.check(job != null && job.taskUid().equals(task.spec.uid()), TURN, task, "gives, but", job);
            RefJob next = job(job);
            RefJob right = choose(task, next);
            Violation.check(right == next, TURN, right, "goes, but", next);
            actual.pollFirst();
            send(next, job);
            refresh();
        }
    }

    private int room(RefPool pool) {
        int out = pool.staleMessages.size();
        for (RefTask task : model.tasks.values()) {
            out += task.pool == pool ? task.places() : 0;
        }
        return pool.options.window() - out;
    }

    private RefJob job(Job job) {
        RefTask task = model.tasks.get(job.taskUid());
        long position = Route.decode(job.route()).position();
        Violation.check(task != null && position < task.jobs.size(), TURN, job, "is of a file that was not read");
        return task.jobs.get((int) position);
    }

    private RefJob choose(RefTask task, RefJob actual) {
        Comparator<RefJob> byDue =
                Comparator.<RefJob>comparingLong(job -> job.dueSince).thenComparingLong(job -> job.dueAt);
        RefJob due = best(task, actual, job -> job.phase == Phase.DUE, byDue);
        if (due != null) {
            return due;
        }
        int demoteTo = model.options.rank().demoteTo();
        Order order = task.spec.mode() == Mode.MERGE ? Order.SEQUENTIAL : task.spec.order();
        Comparator<RefJob> byPosition = Comparator.comparingInt(job -> job.position);
        Comparator<RefJob> by = switch (order) {
            case RANDOM -> (a, b) -> 0;
            case PRIORITY ->
                Comparator.<RefJob>comparingInt(job -> job.priority(model.now, demoteTo))
                        .thenComparing(byPosition);
            default -> byPosition;
        };
        return best(task, actual, job -> job.phase == Phase.WAITING, by);
    }

    /** The best one; the one that the core chose if that is as good. */
    private static RefJob best(RefTask task, RefJob actual, Predicate<RefJob> which, Comparator<RefJob> by) {
        RefJob best = task.jobs.stream().filter(which).min(by).orElse(null);
        boolean asGood = best != null && which.test(actual) && by.compare(actual, best) == 0;
        return asGood ? actual : best;
    }

    private void send(RefJob next, Job job) {
        RefTask task = next.task;
        boolean fresh = next.phase == Phase.WAITING;
        next.become(Phase.QUEUED);
        next.attempt++;
        next.pilot = null;
        next.order = RefJob.Order.NONE;
        next.uid = job.uid();
        model.jobs.put(job.uid(), next);
        model.changed.add(next);
        Violation.check(
                job.attempt() == next.attempt && job.rank() == task.rank,
                "attempt and rank of a job are right",
                job,
                "is sent for",
                next,
                "of",
                task);
        if (!fresh) {
            task.chunkRetries++;
            return;
        }
        task.chunkReleased++;
        if (--task.chunkLeft <= 0 || task.isAllReleased()) {
            endChunk(task);
        }
        task.lastReleasedAt = model.now;
        if (task.isStorageAway()) {
            task.probeFrom = task.stagingFailures + Math.max(1, task.stagingFailures / 2);
        }
        task.hasSlot &= !task.isUsedUp();
    }

    int chunkFiles(RefTask task) {
        Integer own = task.spec.chunkFiles();
        long base = own == null ? model.options.reading().chunkFiles() : own;
        long grown = base + base * (task.weight() - 1) / (Limits.MAX_WEIGHT - 1);
        return (int) Math.min(PageRequest.MAX_LIMIT, Math.max(grown, CHUNK_GROWTH * task.weight()));
    }

    private void endChunk(RefTask task) {
        RankOptions rank = model.options.rank();
        String ranker = task.spec.ranker() == null ? rank.ranker() : task.spec.ranker();
        double age = Math.min(
                1, (model.now - task.lastReleasedAt) / (double) rank.horizon().toMillis());
        double retries = task.chunkRetries / (double) Math.max(1, task.chunkRetries + task.chunkReleased);
        double next = ranker.equals(RankOptions.FIXED)
                ? task.base
                : rank.alpha() * age
                        + rank.beta() * retries
                        + rank.gamma() * task.rank
                        + (1 - rank.gamma()) * task.base;
        task.rank = Math.max(Limits.MIN_RANK, Math.min(Limits.MAX_RANK, next));
        task.chunkReleased = 0;
        task.chunkRetries = 0;
        task.chunkLeft = chunkFiles(task);
    }

    /** Where groups are limited: whatever may start, and no place that a file could take stays free. */
    void fillLimited(Groups groups) {
        model.pools.values().forEach(admission::fill);
        for (Effect.SendJob send : inOrder) {
            RefJob job = job(send.job());
            RefTask task = job.task;
            boolean fresh = job.phase == Phase.WAITING && task.startsFresh();
            boolean again = job.phase == Phase.DUE && task.pool.use != RefPool.Use.PAUSED;
            Violation.check(task.goesOn() && (fresh || again), "only a file that may start goes out", job, "of", task);
            Violation.check(room(task.pool) > 0, "the window of a pool is not exceeded", job);
            send(job, send.job());
        }
        model.pools.values().forEach(admission::fill);
        for (RefPool pool : model.pools.values()) {
            if (room(pool) > 0 && pool.use != RefPool.Use.PAUSED && fleet.serve(pool)) {
                Set<List<String>> held = Collections.newSetFromMap(new IdentityHashMap<>());
                model.tasksOf(pool).forEach(task -> isHeldBack(task, groups, held));
            }
        }
    }

    /** @param held groups that were found to be full */
    private void isHeldBack(RefTask task, Groups groups, Set<List<String>> held) {
        boolean fresh = task.startsFresh();
        boolean waitsAny = fresh && task.hasFresh() || task.count(Phase.DUE) > 0;
        for (RefJob job : task.goesOn() && waitsAny ? task.jobs : List.<RefJob>of()) {
            boolean waits = job.phase == Phase.DUE || fresh && job.phase == Phase.WAITING;
            if (waits && held.add(job.groups)) {
                // One place of each group may be reserved.
                Violation.check(
                        job.groups.stream()
                                .anyMatch(key -> groups.room(key, model.now) <= 1 || !groups.isSure(key, model.now)),
                        "no place stays free that a waiting file could take",
                        job,
                        "of",
                        task,
                        "in",
                        job.groups,
                        "with room for",
                        job.groups.stream()
                                .map(key -> groups.room(key, model.now))
                                .toList());
            }
        }
    }
}
