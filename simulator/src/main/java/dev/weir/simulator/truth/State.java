package dev.weir.simulator.truth;

import dev.weir.protocol.Command;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Report;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.GroupRule;
import dev.weir.scheduler.options.LimitOptions;
import dev.weir.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that the ledger remembers: it goes back with the core when that is restored. Changes of a job's state go through
 * {@link #move}, which keeps every count.
 */
final class State {

    /** A command that waits for its task. */
    record Waiting(Command.AboutTask command, long since) {}

    final Scenario scenario;
    final Map<String, TaskTruth> tasks = new LinkedHashMap<>();
    final Map<String, JobTruth> jobs;
    final Map<String, GroupTruth> groups = new HashMap<>();
    final Map<String, PoolTruth> pools = new HashMap<>();
    final Map<String, String> openOutputs = new HashMap<>();
    final Set<String> closedOutputs = new HashSet<>();
    final Set<String> commandIds = new HashSet<>();
    final List<Waiting> waiting = new ArrayList<>();
    final Set<String> asked = new HashSet<>();
    /** When the newest command about a pilot was given; and those that must not work by it. */
    final Map<String, Long> steeredAt = new HashMap<>();

    final Set<String> unwanted = new HashSet<>();

    final Map<String, PilotTruth> pilots = new HashMap<>();
    /** Where something failed, by name. */
    final Map<String, NodeTruth> nodes = new HashMap<>();

    /** Reports about files that have not been read, by job uid: they may be taken up once they are. */
    final Map<String, List<Report>> claims = new HashMap<>();
    /** Reports about tasks that are not here, each of which may be refused when the task does not come. */
    int reportsWithoutTask;

    long beatClock;
    /** The same before the last beat. */
    long clockBefore;
    /** When a beat was heard last, in milliseconds since 1970; -1 for never. */
    long beatAt = -1;

    State(Scenario scenario) {
        this(scenario, 0);
    }

    private State(Scenario scenario, int jobCount) {
        this.scenario = scenario;
        jobs = new HashMap<>(jobCount * 4 / 3 + 1);
        scenario.options().pools().forEach((name, options) -> pools.put(name, new PoolTruth(name, options)));
    }

    State copy() {
        State copy = new State(scenario, jobs.size());
        tasks.forEach((uid, task) -> copy.tasks.put(uid, task.copy()));
        jobs.forEach((uid, job) -> copy.jobs.put(uid, job.lastCopy()));
        groups.forEach((key, group) -> copy.groups.put(key, group.copy()));
        pools.forEach((name, pool) -> copy.pools.put(
                name, pool.copy(pool.ghosts.stream().map(JobTruth::lastCopy).toList())));
        copy.openOutputs.putAll(openOutputs);
        copy.closedOutputs.addAll(closedOutputs);
        copy.commandIds.addAll(commandIds);
        copy.waiting.addAll(waiting);
        copy.asked.addAll(asked);
        copy.steeredAt.putAll(steeredAt);
        copy.unwanted.addAll(unwanted);
        pilots.forEach((id, pilot) -> copy.pilots.put(id, pilot.copy()));
        nodes.forEach((name, node) -> copy.nodes.put(name, node.copy()));
        claims.forEach((uid, reports) -> copy.claims.put(uid, new ArrayList<>(reports)));
        copy.reportsWithoutTask = reportsWithoutTask;
        copy.beatClock = beatClock;
        copy.clockBefore = clockBefore;
        copy.beatAt = beatAt;
        return copy;
    }

    void move(JobTruth job, JobStatus to, long now) {
        JobStatus from = job.status;
        if (from == to) {
            return;
        }
        TaskTruth task = job.task;
        task.counts[from.ordinal()]--;
        task.counts[to.ordinal()]++;
        boolean wasOut = Statuses.in(from, Statuses.OUT);
        boolean isOut = Statuses.in(to, Statuses.OUT);
        if (!job.touched) {
            job.touched = true;
            if (task.isRead(job)) {
                task.fresh--;
                task.freshIn[task.groupSetOf(job)]--;
            }
        }
        if (!wasOut && to != JobStatus.QUEUED && to != JobStatus.CANCELLED) {
            mayHaveStarted(job, now);
        }
        if (wasOut != isOut) {
            pools.get(task.pool).out += isOut ? 1 : -1;
            for (String group : groupsOf(job)) {
                group(group).inFlight += isOut ? 1 : -1;
            }
        }
        if (from == JobStatus.QUEUED && to == JobStatus.CANCELLED) {
            messageStays(job);
        }
        if (to == JobStatus.COOLING) {
            job.failedAt = now;
        }
        if (!isOut) {
            job.owner = null;
        }
        job.status = to;
    }

    /** The job is over, and the message of its newest attempt is still in the pool's queue. */
    void messageStays(JobTruth job) {
        job.ghostSince = job.sentAt;
        pools.get(job.task.pool).ghosts.add(job);
    }

    /** It was sent in a time that is forgotten, and may count as started when we hear of it. */
    void mayHaveStarted(JobTruth job, long now) {
        groupsOf(job).forEach(key -> group(key).mayHaveStarted(now));
    }

    /** Waiting and cooling files become Cancelled; queued ones too when the whole task is cancelled. */
    void cancelWaiting(TaskTruth task, boolean queuedToo, long now) {
        int set = queuedToo ? Statuses.PENDING | Statuses.QUEUED : Statuses.PENDING;
        for (JobTruth job : task.jobs) {
            if (job.is(set)) {
                move(job, JobStatus.CANCELLED, now);
            }
        }
    }

    List<String> groupsOf(JobTruth job) {
        TaskTruth task = job.task;
        if (task.task.mode() == Mode.MAP) {
            return task.dataset.groups().get(job.position);
        }
        // The groups of a Merge job are its task's: its files' URLs put it in none.
        return task.task.groups();
    }

    GroupTruth group(String key) {
        return groups.computeIfAbsent(key, name -> new GroupTruth(name, configured(name)));
    }

    private GroupLimit configured(String key) {
        LimitOptions limits = scenario.options().limits();
        GroupLimit own = limits.groups().get(key);
        if (own != null) {
            return own;
        }
        int expressions = 0;
        for (GroupRule rule : limits.rules()) {
            expressions += rule.kind() == GroupRule.Kind.REGEX ? 1 : 0;
            String kind = switch (rule.kind()) {
                case HOST -> "host:";
                case NETWORK -> "net:";
                case REGEX -> expressions == 1 ? "re:" : "re" + expressions + ":";
            };
            if (key.startsWith(kind)) {
                return rule.limit();
            }
        }
        return GroupLimit.NONE;
    }

    long leaseMillis() {
        return scenario.options().pilots().lease().toMillis();
    }

    long heartbeatMillis() {
        return scenario.options().pilots().heartbeat().toMillis();
    }

    long queuedTimeoutMillis() {
        return scenario.options().attempts().queuedTimeout().toMillis();
    }
}
