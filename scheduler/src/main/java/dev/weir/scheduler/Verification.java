package dev.weir.scheduler;

import dev.weir.engine.limit.Group;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.protocol.Mode;
import dev.weir.scheduler.model.KnownPilot;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.LiveJob;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.model.Pool;
import dev.weir.scheduler.state.Bits;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.NodeRecord;
import dev.weir.scheduler.state.PilotRecord;
import dev.weir.scheduler.state.Tables;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Compares a lane's memory with its state: memory must equal the state, counts must equal a full recount, and memory that is built from
 * the state must equal the present memory. Otherwise a restart would change decisions.
 */
final class Verification {

    private final Lane lane;
    private final Parts parts;
    private final Lane rebuilt;
    private final Store store;

    Verification(LaneApplication application, LaneApplication rebuilt, Store store) {
        lane = application.lane();
        parts = application.parts();
        this.rebuilt = rebuilt.lane();
        this.store = store;
    }

    /** Throws {@link IllegalStateException} with what differs. */
    void run() {
        memoryIsInState();
        stateIsInMemory();
        nodesAreCounted();
        pilotsAreCounted();
        tasksAreCounted();
        waitsHaveAnEnd();
        rebuiltIsTheSame();
    }

    private void memoryIsInState() {
        lane.tasks.forEach((uid, task) -> same("task " + uid, Tables.PROGRESS, uid, task.progress));
        lane.jobs.forEach((uid, job) -> same("job " + uid, Tables.JOB, uid, job.record));
        lane.pilots.forEach((id, pilot) -> {
            PilotRecord stored = store.get(Tables.PILOT, id);
            if (stored == null) {
                check(pilot.record.use == PilotRecord.Use.NORMAL, "pilot " + id + " is steered and not in the state");
            } else {
                same("pilot " + id, Tables.PILOT, lasting(pilot.record), lasting(stored));
            }
        });
        Set<NodeRecord> stored = new HashSet<>();
        store.forEach(Tables.NODE, (name, node) -> stored.add(node));
        Set<NodeRecord> known = new HashSet<>(parts.nodes.records());
        check(known.equals(stored), "nodes " + known + " fail, in the state " + stored);
    }

    private <V> void same(String what, Table<V> table, String key, V known) {
        same(what, table, known, store.get(table, key));
    }

    private static <V> void same(String what, Table<V> table, V known, V stored) {
        check(
                stored != null && Arrays.equals(table.encode(known), table.encode(stored)),
                what + " is not in the state as it is known");
    }

    /** Leaves out fields that each report changes and the next heartbeat restores. */
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

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    private void stateIsInMemory() {
        store.forEach(Tables.JOB, (uid, record) -> {
            boolean over = record.phase == Phase.FAILED || record.phase == Phase.KILLED;
            check(over != lane.jobs.containsKey(uid), "job " + uid + " is " + record.phase + " in the state");
        });
        store.forEach(Tables.FAILED_JOB, (uid, record) -> {
            ofOpenTask("failed job", record.taskUid);
            check(!lane.jobs.containsKey(uid), "job " + uid + " is live and has failed for good in the state");
        });
        store.forEach(
                Tables.FAILED_INPUTS,
                (uid, files) -> check(
                        lane.jobs.containsKey(uid) || store.get(Tables.FAILED_JOB, uid) != null,
                        "the state has the inputs of job " + uid + " and not the job"));
        store.forEach(Tables.PROGRESS, (uid, progress) -> ofOpenTask("progress", uid));
        store.forEach(Tables.ASIDE, (uid, reason) -> ofOpenTask("aside", uid));
        lane.tasks.forEach((uid, task) -> check(
                Objects.equals(task.aside, store.get(Tables.ASIDE, uid)),
                "task " + uid + " is set aside for " + task.aside + ", in the state it is not so"));
        store.forEach(Tables.RETRYING, (uid, yes) -> ofOpenTask("retrying", uid));
        store.forEach(Tables.TASK, (uid, task) -> ofOpenTask("task", uid));
        store.forEach(Tables.OUTPUT, (dataset, uid) -> ofOpenTask("output", uid));
        for (Table<?> table : List.of(Tables.CHUNK, Tables.PRIORITY, Tables.CHECK_LIST, Tables.FAILED)) {
            store.forEach(table, (key, value) -> ofOpenTask(table.name(), Tables.taskOf(key)));
        }
        store.forEach(Tables.RELEASED, (key, bits) -> {
            OpenTask task = lane.tasks.get(Tables.taskOf(key));
            long from = Tables.numberOf(key) * Bits.POSITIONS;
            check(
                    task != null && task.chunks.hasAny(from, from + Bits.POSITIONS),
                    "the state knows which positions were released of piece " + key + ", which has no chunk");
        });
        Map<String, Set<Long>> adopted = new HashMap<>();
        store.forEach(
                Tables.ADOPTED,
                (key, one) -> adopted.computeIfAbsent(one.taskUid(), uid -> new TreeSet<>())
                        .add(one.position()));
        adopted.keySet().forEach(uid -> ofOpenTask("adopted", uid));
        lane.tasks.forEach((uid, task) -> {
            Set<Long> stored = adopted.getOrDefault(uid, Set.of());
            check(
                    task.adopted.all().equals(stored),
                    "of task " + uid + " " + task.adopted.all() + " are adopted, in the state " + stored);
        });
    }

    private void ofOpenTask(String table, String uid) {
        check(lane.tasks.containsKey(uid), "the state's " + table + " has something of " + uid + ", which is not open");
    }

    private void nodesAreCounted() {
        for (Pool pool : lane.pools.values()) {
            Set<String> nodes = new TreeSet<>();
            Set<String> aside = new TreeSet<>();
            for (KnownPilot pilot : lane.pilots.values()) {
                PilotRecord r = pilot.record;
                if (r.state != null && (pool.name.equals(r.pool) || r.pools.contains(pool.name))) {
                    nodes.add(pilot.nodeName());
                    if (pilot.node.isAside()) {
                        aside.add(pilot.nodeName());
                    }
                }
            }
            check(
                    pool.nodes == nodes.size() && pool.nodesAside == aside.size(),
                    "pool " + pool.name + " has the nodes " + nodes + ", set aside " + aside + ", but counts "
                            + pool.nodes + " and " + pool.nodesAside);
            check(
                    aside.size() * 2 <= nodes.size(),
                    "of the nodes " + nodes + " of pool " + pool.name + " are set aside " + aside);
        }
    }

    private void pilotsAreCounted() {
        Map<Pool, Set<String>> leaving = new HashMap<>();
        Set<String> busy = new HashSet<>();
        for (LiveJob job : lane.jobs.values()) {
            if (job.isStarted()) {
                busy.add(job.record.pilot);
                KnownPilot pilot = lane.pilots.get(job.record.pilot);
                if (pilot == null || !pilot.load.countedIn().contains(job.pool())) {
                    leaving.computeIfAbsent(job.pool(), pool -> new TreeSet<>()).add(job.record.pilot);
                }
            }
        }
        for (Pool pool : lane.pools.values()) {
            long idle = lane.pilots.values().stream()
                    .filter(pilot -> pilot.load.countedIn().contains(pool) && !busy.contains(pilot.record.id))
                    .count();
            check(pool.idle == idle, idle + " pilots of pool " + pool.name + " are idle, but it counts " + pool.idle);
            Set<String> gone = leaving.getOrDefault(pool, Set.of());
            check(
                    pool.leaving == gone.size(),
                    "pilots " + gone + " leave pool " + pool.name + ", but it counts " + pool.leaving);
        }
    }

    private void tasksAreCounted() {
        for (Pool pool : lane.pools.values()) {
            Set<OpenTask> active = new HashSet<>();
            Set<OpenTask> concerned = new HashSet<>();
            long blocked = 0;
            for (OpenTask task : lane.tasks.values()) {
                if (task.pool == pool && (task.progress.slot || task.live.size() > 0)) {
                    concerned.add(task);
                }
                if (task.pool == pool && task.progress.slot) {
                    active.add(task);
                    blocked += task.isBlocked() ? 1 : 0;
                }
            }
            check(
                    active.equals(pool.active),
                    active.size() + " tasks hold slots of pool " + pool.name + ", but it knows " + pool.active.size());
            check(
                    concerned.equals(pool.concerned()),
                    "changes of pool " + pool.name + " concern " + concerned.size() + " tasks, but it knows "
                            + pool.concerned().size());
            check(
                    !pool.isChangeUnknown() || pool.changeTimer.isSet(),
                    "tasks of pool " + pool.name + " do not learn that it has changed");
            check(
                    pool.blocked == blocked,
                    blocked + " tasks of pool " + pool.name + " wait for groups, but it counts " + pool.blocked);
        }
    }

    private void waitsHaveAnEnd() {
        check(lane.agenda.isEmpty(), "what an event has made necessary was not worked off at its end");
        lane.groups.all().forEach(Group::verify);
        roomIsCounted();
        for (Pool pool : lane.pools.values()) {
            long next = pool.nextStaleMessage();
            check(
                    next == Long.MAX_VALUE || pool.staleTimer.isSet() && pool.staleTimer.at() <= next,
                    "messages of pool " + pool.name + " that count until " + next + " have no timer");
        }
    }

    private void roomIsCounted() {
        long files = 0;
        long given = 0;
        int sets = 0;
        int limited = 0;
        for (OpenTask task : lane.tasks.values()) {
            files += task.progress.indexed ? task.backlog.fresh() : 0;
            given += task.given.all().size();
            sets += task.backlog.sets(false);
            // How many groups a Merge task has is in its own message; and further attempts have been let in before.
            limited += task.spec().mode() == Mode.MAP ? task.backlog.sets(true) : 0;
        }
        check(
                lane.groups.waitingFiles() == files && lane.givenPriorities == given && lane.groups.sets() == sets,
                files + " files in " + sets + " sets of groups wait whose tasks choose among them, " + given
                        + " have a priority by command, but " + lane.groups.waitingFiles() + " in "
                        + lane.groups.sets() + " and " + lane.givenPriorities + " are counted");
        check(
                limited <= lane.groups.most(),
                "files wait in " + limited + " sets of groups, there may be " + lane.groups.most());
    }

    private void rebuiltIsTheSame() {
        List<Function<Lane, Object>> views =
                List.of(Verification::pools, Verification::groups, Verification::tasks, Verification::jobs);
        for (Function<Lane, Object> view : views) {
            Object here = view.apply(lane);
            Object there = view.apply(rebuilt);
            check(here.equals(there), "a restart would turn " + here + " into " + there);
        }
    }

    private static Object pools(Lane lane) {
        return lane.pools.values().stream()
                .map(pool -> List.of(
                        pool.name, pool.record, pool.queued, pool.started, pool.active.size(), pool.waiting.size()))
                .toList();
    }

    private static Object groups(Lane lane) {
        Map<String, Object> groups = new TreeMap<>();
        for (Group group : lane.groups.all()) {
            groups.put(group.key(), List.of(group.limit(), group.inFlight(), group.free(lane.now())));
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
                        task.given.all(),
                        Stream.of(task.chunks.chunks())
                                .map(chunk -> chunk.first)
                                .toList(),
                        at(task.pageTimer),
                        // Of a task that is set aside it does nothing.
                        task.aside != null || task.closeTimer.isSet())));
        return tasks;
    }

    private static Object jobs(Lane lane) {
        Map<String, Object> jobs = new TreeMap<>();
        lane.jobs.forEach((uid, job) -> jobs.put(
                uid,
                List.of(
                        job.pool().name,
                        job.task.progress.uid,
                        job.groups == null ? -1 : job.groups.size(),
                        at(job.timer),
                        at(job.lease))));
        return jobs;
    }

    private static long at(dev.weir.engine.Timer timer) {
        return timer.isSet() ? timer.at() : -1;
    }
}
