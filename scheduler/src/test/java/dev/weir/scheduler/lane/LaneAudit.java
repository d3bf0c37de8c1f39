package dev.weir.scheduler.lane;

import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.SchedulerMetrics;
import dev.weir.scheduler.limit.Group;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import dev.weir.scheduler.store.Store;
import dev.weir.scheduler.store.Table;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds a scheduler's memory against its state: after every event the state must say what memory knows, and an index that is built from
 * it must be the one that is there. Otherwise a restart would change what happens.
 */
public final class LaneAudit {

    private final SchedulerOptions options;
    private final Lane lane;
    private final Store store;

    private LaneAudit(SchedulerOptions options, Lane lane, Store store) {
        this.options = options;
        this.lane = lane;
        this.store = store;
    }

    /**
     * Throws {@link AssertionError} with what differs.
     *
     * @param whole whether to look through the whole state too, which costs much more
     */
    public static void check(SchedulerOptions options, Scheduler scheduler, Store store, boolean whole) {
        LaneAudit audit = new LaneAudit(options, lane(scheduler), store);
        audit.written();
        audit.counted();
        audit.nodes();
        audit.leaving();
        if (whole) {
            audit.nothingElse();
            audit.rebuilt();
        }
    }

    /** Open tasks and jobs that are not over. */
    public static int size(Scheduler scheduler) {
        Lane lane = lane(scheduler);
        return lane == null ? 0 : lane.tasks.size() + lane.jobs.size();
    }

    public static int openTasks(Scheduler scheduler) {
        return lane(scheduler).tasks.size();
    }

    /** All groups that the scheduler knows now, with the jobs that each has in flight. */
    public static Map<String, Integer> groupsInFlight(Scheduler scheduler) {
        Map<String, Integer> groups = new TreeMap<>();
        lane(scheduler).groups.all().forEach(group -> groups.put(group.key(), group.inFlight()));
        return groups;
    }

    private static Lane lane(Scheduler scheduler) {
        try {
            Field field = Scheduler.class.getDeclaredField("lane");
            field.setAccessible(true);
            return (Lane) field.get(scheduler);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private void written() {
        if (store.get(Tables.LANE, "") != null) {
            same("lane", Tables.LANE, lane.record, store.get(Tables.LANE, ""));
        }
        lane.tasks.forEach((uid, task) -> same(uid, Tables.PROGRESS, task.p, store.get(Tables.PROGRESS, uid)));
        lane.jobs.forEach((uid, job) -> same(uid, Tables.JOB, job.r, store.get(Tables.JOB, uid)));
        lane.pilotsById.forEach((id, pilot) -> {
            PilotRecord stored = store.get(Tables.PILOT, id);
            if (stored != null) {
                same(id, Tables.PILOT, lasting(pilot.r), lasting(stored));
            } else if (pilot.r.use != PilotRecord.Use.NORMAL) {
                throw new AssertionError("pilot " + id + " is steered and not in the state");
            }
        });
    }

    /** How many files each reason holds back, which is kept, is what looking at every task gives. */
    private void counted() {
        Map<String, Long> counted = new TreeMap<>();
        SchedulerMetrics.WHY.forEach(word -> counted.put(word, 0L));
        for (TaskEntry task : lane.tasks.values()) {
            Why why = Why.of(lane, task);
            if (why != null) {
                Progress p = task.p;
                long unreleased = p.jobs == Progress.UNKNOWN ? 0 : p.jobs - p.released;
                counted.merge(why.word(), unreleased + p.cooling + (why == Why.PILOTS ? p.queued : 0), Long::sum);
            }
        }
        Map<String, Long> kept = new Gauges(lane).why();
        if (!kept.equals(counted)) {
            throw new AssertionError("files wait because of " + counted + " but are counted as " + kept);
        }
    }

    /** The nodes of each pool, and how many are set aside, are counted as looking at every pilot gives; and each that fails is in the state. */
    private void nodes() {
        for (PoolEntry pool : lane.pools.values()) {
            Set<String> nodes = new HashSet<>();
            Set<String> aside = new HashSet<>();
            for (PilotEntry pilot : lane.pilotsById.values()) {
                PilotRecord r = pilot.r;
                if (r.state != null && (pool.name.equals(r.pool) || r.pools.contains(pool.name))) {
                    nodes.add(pilot.nodeName());
                    if (pilot.node.aside) {
                        aside.add(pilot.nodeName());
                    }
                }
            }
            if (pool.nodes != nodes.size() || pool.nodesAside != aside.size()) {
                throw new AssertionError("pool " + pool.name + " has the nodes " + nodes + ", set aside " + aside
                        + ", but counts " + pool.nodes + " and " + pool.nodesAside);
            }
            if (aside.size() * 2 > nodes.size()) {
                throw new AssertionError("of the nodes " + nodes + " of pool " + pool.name + " are set aside " + aside);
            }
        }
        Set<NodeRecord> known = new HashSet<>(lane.nodes.records());
        Set<NodeRecord> stored = new HashSet<>();
        store.forEach(Tables.NODE, (name, node) -> stored.add(node));
        if (!known.equals(stored)) {
            throw new AssertionError("nodes " + known + " fail, in the state " + stored);
        }
    }

    /** Pilots without a job, and those that have one of a pool and may take no other, are counted as looking at every job gives. */
    private void leaving() {
        for (PoolEntry pool : lane.pools.values()) {
            long idle = lane.pilotsById.values().stream()
                    .filter(pilot -> pilot.work.countedIn().contains(pool))
                    .filter(pilot -> lane.jobs.values().stream()
                            .noneMatch(job -> job.isStarted() && pilot.r.id.equals(job.r.pilot)))
                    .count();
            long blocked = lane.tasks.values().stream()
                    .filter(task -> task.pool == pool && task.isBlocked())
                    .count();
            if (pool.blocked != blocked) {
                throw new AssertionError(
                        blocked + " tasks of pool " + pool.name + " wait for groups, but it counts " + pool.blocked);
            }
            Set<TaskEntry> starters = lane.tasks.values().stream()
                    .filter(task -> task.pool == pool && (task.p.slot || task.p.cooling > 0))
                    .collect(Collectors.toSet());
            if (!starters.equals(pool.held.mayStart())) {
                throw new AssertionError(
                        "in pool " + pool.name + " " + starters.size() + " tasks may start, but it knows "
                                + pool.held.mayStart().size());
            }
            if (pool.idle != idle) {
                throw new AssertionError(
                        idle + " pilots of pool " + pool.name + " are idle, but it counts " + pool.idle);
            }
            Set<String> leaving = new TreeSet<>();
            for (LiveJob job : lane.jobs.values()) {
                PilotEntry pilot = lane.pilotsById.get(job.r.pilot);
                boolean stays = pilot != null && pilot.work.countedIn().contains(pool);
                if (job.pool == pool && job.isStarted() && !stays) {
                    leaving.add(job.r.pilot);
                }
            }
            if (pool.leaving != leaving.size()) {
                throw new AssertionError(
                        "pilots " + leaving + " leave pool " + pool.name + ", but it counts " + pool.leaving);
            }
        }
    }

    /** The state has nothing that nobody knows. */
    private void nothingElse() {
        store.forEach(Tables.JOB, (uid, record) -> {
            boolean over = record.phase == Phase.FAILED || record.phase == Phase.KILLED;
            if (over == lane.jobs.containsKey(uid)) {
                throw new AssertionError("job " + uid + " is " + record.phase + " in the state");
            }
        });
        store.forEach(Tables.PROGRESS, (uid, progress) -> ofOpenTask("progress", uid));
        store.forEach(Tables.TASK, (uid, task) -> ofOpenTask("task", uid));
        store.forEach(Tables.OUTPUT, (dataset, uid) -> ofOpenTask("output", uid));
        for (Table<?> table :
                List.of(Tables.CHUNK, Tables.RELEASED, Tables.PRIORITY, Tables.CHECK_LIST, Tables.FAILED)) {
            store.forEach(table, (key, value) -> ofOpenTask(table.name(), key.substring(0, key.lastIndexOf('/'))));
        }
        store.forEach(Tables.CLAIM, (key, claim) -> {
            TaskEntry task = lane.tasks.get(claim.taskUid());
            boolean known = task == null ? claim.report() != null : task.claim(claim.position()) != null;
            if (!known) {
                throw new AssertionError("claim " + key + " is only in the state");
            }
        });
        lane.tasks.forEach((uid, task) -> {
            if (task.claims != null) {
                task.claims.keySet().forEach(position -> {
                    if (store.get(Tables.CLAIM, Tables.key(uid, position)) == null) {
                        throw new AssertionError("claim " + position + " of " + uid + " is not in the state");
                    }
                });
            }
        });
    }

    private void ofOpenTask(String table, String uid) {
        if (!lane.tasks.containsKey(uid)) {
            throw new AssertionError("the table " + table + " has something of " + uid + ", which is not open");
        }
    }

    /**
     * What readers see is what is so, or will be soon.
     *
     * @param taskRows the last row of each task
     * @param jobRows the last row of each job
     */
    public static void shown(Scheduler scheduler, Map<String, TaskRow> taskRows, Map<String, JobRow> jobRows) {
        Lane lane = lane(scheduler);
        lane.tasks.forEach((uid, task) -> {
            TaskRow row = taskRows.get(uid);
            boolean ages = task.waiting || task.reading;
            Why why = Why.of(lane, task);
            boolean current = row != null
                    && row.counts().equals(task.p.counts())
                    && (ages || row.rank() == task.p.rank)
                    && Objects.equals(row.why(), why == null ? null : why.word());
            if ((task.waiting || !current) && !task.rowTimer.isSet()) {
                throw new AssertionError(
                        "task " + uid + " is shown as " + row + " but waits for " + why + " and has " + fields(task.p));
            }
        });
        lane.jobs.forEach((uid, job) -> {
            JobStatus status = switch (job.r.phase) {
                case QUEUED -> JobStatus.QUEUED;
                case STARTING -> JobStatus.STARTING;
                case RUNNING -> JobStatus.RUNNING;
                case GHOST -> job.r.registeredAttempts < job.r.attempt ? JobStatus.FINISHED : JobStatus.CANCELLED;
                default -> JobStatus.COOLING;
            };
            int attempt = job.r.phase == Phase.GHOST ? job.r.registeredAttempts : job.r.attempt;
            JobRow row = jobRows.get(uid);
            if (row == null || row.status() != status || row.attempt() != attempt) {
                throw new AssertionError("job " + uid + " is shown as " + row + " but is " + fields(job.r));
            }
        });
    }

    /** Without what each report changes and the next heartbeat brings again. */
    private static PilotRecord lasting(PilotRecord record) {
        PilotRecord copy = Tables.PILOT.decode(Tables.PILOT.encode(record));
        copy.leaseUntil = 0;
        copy.lastSeenAt = 0;
        copy.jobUid = null;
        copy.state = null;
        copy.finished = 0;
        copy.failed = 0;
        copy.pool = null;
        return copy;
    }

    private static <V> void same(String key, Table<V> table, V known, V stored) {
        if (stored == null || !Arrays.equals(table.encode(known), table.encode(stored))) {
            throw new AssertionError(
                    key + " is not in the state as it is known: " + fields(known) + " but " + fields(stored));
        }
    }

    private static Map<String, Object> fields(Object value) {
        Map<String, Object> fields = new TreeMap<>();
        for (Field field : value == null ? new Field[0] : value.getClass().getFields()) {
            try {
                fields.put(field.getName(), field.get(value));
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return fields;
    }

    private void rebuilt() {
        Lane other = new Lane(options, lane.number, store, new Counters(), lane.now);
        List<Function<Lane, Object>> views =
                List.of(LaneAudit::pools, LaneAudit::groups, LaneAudit::tasks, LaneAudit::jobs, LaneAudit::timers);
        for (Function<Lane, Object> view : views) {
            Object here = view.apply(lane);
            Object there = view.apply(other);
            if (!here.equals(there)) {
                throw new AssertionError("a restart would turn " + here + " into " + there);
            }
        }
    }

    private static Object pools(Lane lane) {
        List<Object> pools = new ArrayList<>();
        lane.pools
                .values()
                .forEach(pool -> pools.add(List.of(
                        pool.name,
                        pool.record,
                        pool.queued,
                        pool.started,
                        pool.ghosts,
                        pool.active,
                        pool.waiting.size())));
        return pools;
    }

    private static Object groups(Lane lane) {
        Map<String, Object> groups = new TreeMap<>();
        for (Group group : lane.groups.all()) {
            groups.put(group.key(), List.of(group.limit(), group.inFlight(), group.free(lane.now)));
        }
        return groups;
    }

    private static Object tasks(Lane lane) {
        Map<String, Object> tasks = new TreeMap<>();
        lane.tasks.forEach((uid, task) -> tasks.put(
                uid,
                List.of(
                        task.backlog.fresh(),
                        task.live.size(),
                        task.waiting,
                        task.weight(),
                        task.givenPriorities,
                        task.claims == null ? Map.of() : task.claims.keySet().toString(),
                        Stream.of(task.chunks.chunks())
                                .map(chunk -> chunk.first)
                                .toList())));
        return tasks;
    }

    private static Object jobs(Lane lane) {
        Map<String, Object> jobs = new TreeMap<>();
        lane.jobs.forEach((uid, job) -> jobs.put(
                uid,
                List.of(
                        job.pool.name,
                        job.task == null ? "" : job.task.p.uid,
                        job.groups == null ? -1 : job.groups.size(),
                        job.lease.isSet() ? job.lease.at : -1)));
        return jobs;
    }

    private static Object timers(Lane lane) {
        Map<String, Object> timers = new TreeMap<>();
        lane.jobs.forEach((uid, job) -> {
            JobRecord r = job.r;
            timers.put(uid, job.wall.isSet() ? job.wall.at : r.phase);
        });
        lane.tasks.forEach((uid, task) -> timers.put("task " + uid, task.closeTimer.isSet()));
        return timers;
    }
}
