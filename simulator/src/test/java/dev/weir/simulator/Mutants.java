package dev.weir.simulator;

import java.util.List;
import java.util.stream.Stream;

/** Deliberate bugs in the core's own source, for {@link MutantTest}. */
final class Mutants {

    private Mutants() {}

    static List<Mutant> all() {
        return Stream.concat(LimitMutants.all().stream(), others().stream()).toList();
    }

    private static List<Mutant> others() {
        return List.of(
                new Mutant(
                        "important tasks get twice the weight that they should",
                        "rank/Rankers.java",
                        "Math.round(rank)));",
                        "Math.round(2 * rank)));"),
                new Mutant(
                        "an outage of ours expires leases",
                        "engine/LeaseClock.java",
                        "Math.min(since, intervalMillis)",
                        "since"),
                new Mutant(
                        "after a restore jobs go out before the reports that waited are read",
                        "job/Dispatch.java",
                        "if (lane.isCatchingUp()) {",
                        "if (false) {"),
                new Mutant(
                        "the report of any pilot counts",
                        "job/Reports.java",
                        "} else if (!report.pilotId().equals(r.pilot)) {",
                        "} else if (report.pilotId().isEmpty()) {"),
                new Mutant(
                        "a late finished is dropped",
                        "job/Reports.java",
                        "            if (report.isFinished()) {\n                finishedAfterAll",
                        "            if (report.isFinished() && report.pilotId().isEmpty()) {\n                finishedAfterAll"),
                new Mutant(
                        "a job that was lost for good stays lost, whatever its pilot has finished",
                        "job/JobReport.java",
                        "return isFinished() && job.lost.has(attempt);",
                        "return false;"),
                new Mutant(
                        "a late finished registers a second output",
                        "job/Completion.java",
                        "r.lost = LostAttempts.NONE;",
                        ""),
                new Mutant(
                        "the message behind a late finished takes no place",
                        "job/AttemptOutcome.java",
                        "inFlight.land(job, true);",
                        "inFlight.land(job, false);"),
                new Mutant(
                        "a task goes to the pool of its device, whichever it names",
                        "task/Intake.java",
                        "lane.pools.get(task.poolName())",
                        "lane.pools.get(dev.weir.protocol.Names.pool(task.deviceType()))"),
                new Mutant(
                        "one retry too many",
                        "job/AttemptOutcome.java",
                        "r.payloadFailures < job.task.spec().retry()",
                        "r.payloadFailures <= job.task.spec().retry()"),
                new Mutant(
                        "nothing cools off",
                        "job/AttemptOutcome.java",
                        "r.deadline = lane.now() + RetryPause.millis(r, options, lane.options.seed(), failures.isProbe(job));",
                        "r.deadline = lane.now();"),
                new Mutant(
                        "a cancelled queued job gives its place away at once",
                        "job/Completion.java",
                        "inFlight.land(job, true);",
                        "inFlight.land(job, false);"),
                new Mutant(
                        "one more task than may be is admitted whenever the window has room",
                        "task/Admission.java",
                        "return pool.blocked == pool.active.size() && pool.startsFresh()",
                        "return pool.startsFresh()"),
                new Mutant(
                        "a job whose message was lost is never sent again",
                        "job/InFlight.java",
                        "|| pool.idle > 0 && lane.now() - pool.startedAt >= timeoutMillis());",
                        "|| pool.idle > 0)\n                && pool.idle < 0;"),
                new Mutant(
                        "a heartbeat renews nothing",
                        "job/InFlight.java",
                        "if (!job.lease.isSet() || job.lease.at() != until) {",
                        "if (!job.lease.isSet()) {"),
                new Mutant(
                        "a dataset closes while jobs are out",
                        "task/Closure.java",
                        "p.exhausted() && p.live() == 0",
                        "p.exhausted()"),
                new Mutant(
                        "a restart loses the later parts of a check-list",
                        "task/Closure.java",
                        "        lane.effects.add(new Effect.Register(\n",
                        "        if (part > 1 && p.acceptedAt < lane.builtAt()) {\n            return;\n        }\n        lane.effects.add(new Effect.Register(\n"),
                new Mutant(
                        "a restart loses what later attempts of its tasks make",
                        "job/Completion.java",
                        "        Task spec = job.task.spec();\n",
                        "        if (job.record.attempt > 1 && job.task.progress.acceptedAt < lane.builtAt()) {\n            return;\n        }\n        Task spec = job.task.spec();\n"),
                new Mutant(
                        "a dataset that is kept open closes at once",
                        "task/Closure.java",
                        "if (waitForRetries(task) || task.commandWaits",
                        "if (task.commandWaits"),
                new Mutant(
                        "a dataset of which nothing has failed is kept open",
                        "task/Closure.java",
                        "if (p.stop != Stop.NONE || p.failed + p.killed == 0) {",
                        "if (p.stop != Stop.NONE) {"),
                new Mutant(
                        "a page counts whatever its offset",
                        "task/DatasetReading.java",
                        "|| task.progress.readTo != offset",
                        "|| offset < 0"),
                new Mutant(
                        "jobs that are over by the system's fault cancel their task",
                        "task/EarlyStop.java",
                        "p.failed + p.killed - p.failedBySystem",
                        "p.failed + p.killed"),
                new Mutant(
                        "a payload that fails does not end a row of failures by the system's fault",
                        "job/AttemptOutcome.java",
                        "r.systemFailingSince = 0;",
                        ""),
                new Mutant(
                        "fresh files start although their storage is away",
                        "model/OpenTask.java",
                        "&& pool.startsFresh() && !waitsForStorage();",
                        "&& pool.startsFresh();"),
                new Mutant(
                        "a restore forgets that the storage of a task is away",
                        "state/Progress.java",
                        "p.stagingFailures = Wire.readLong(in);",
                        "p.stagingFailures = 0 * Wire.readLong(in);"),
                new Mutant(
                        "a pilot that takes too long keeps its job as long as it is heard",
                        "job/InFlight.java",
                        "if (job.record.overdue) {",
                        "if (job.record.overdue && job.record.attempt < 0) {"),
                new Mutant(
                        "a restore forgets that attempts may take too long",
                        "LaneApplication.java",
                        "parts.overdue.resume();",
                        ""),
                new Mutant(
                        "a missing input counts against the node",
                        "job/AttemptOutcome.java",
                        "if (errorClass == ErrorClass.SYSTEM && r.errorType != ErrorType.MISSING && !leaves) {",
                        "if (errorClass == ErrorClass.SYSTEM) {"),
                new Mutant(
                        "a missing input is given up although its storage may be away",
                        "job/TaskFailures.java",
                        "&& job.task.progress.storageWorkedAt > r.missingSince",
                        ""),
                new Mutant(
                        "a missing input is tried for as long as in an outage",
                        "job/TaskFailures.java",
                        "return !isGone && (failing",
                        "return (failing"),
                new Mutant(
                        "two losses further apart than the time for further attempts fail a job",
                        "job/TaskFailures.java",
                        "lasts > 0 && r.systemFailures < LEAST_FURTHER_ATTEMPTS",
                        "false"),
                new Mutant(
                        "a clock that went back is waited for",
                        "engine/Engine.java",
                        "nowMillis < now - LONGEST_STEP_BACK_MILLIS",
                        "nowMillis < 0"),
                new Mutant(
                        "a failed job waits for the time of a clock that was ahead",
                        "job/InFlight.java",
                        "r.deadline = Math.min(r.deadline, now + pause);",
                        ""),
                new Mutant(
                        "leases wait for the time of a clock that was ahead",
                        "engine/LeaseClock.java",
                        "if (record.beatHeardAt > session.now()) {",
                        "if (record.beatHeardAt < 0) {"),
                new Mutant(
                        "a task is cancelled although most of it finishes",
                        "task/EarlyStop.java",
                        "&& bad > p.finished",
                        "&& bad > 0"),
                new Mutant(
                        "an older rank overrides a newer one",
                        "command/TaskCommands.java",
                        "if (lane.isOlder(at, p.rankCommandAt)) {",
                        "if (at < 0) {"),
                new Mutant(
                        "the window is one too wide",
                        "model/Pool.java",
                        "return window() - out();",
                        "return window() - out() + 1;"),
                new Mutant(
                        "a pilot that may take nothing is told so only once",
                        "pilot/PilotRegistry.java",
                        "        recount(pilot);\n        orders.drainIfUnwanted(pilot);\n    }",
                        "        recount(pilot);\n    }"),
                new Mutant(
                        "a job that we stop again and again comes back at once",
                        "job/RetryPause.java",
                        "if (r.orderedKills > 0) {",
                        "if (r.orderedKills < 0) {"),
                new Mutant(
                        "a pool that is drained goes on with fresh files",
                        "model/Pool.java",
                        "return record.use() == PoolRecord.Use.NORMAL && !stoppedWithoutPilots;",
                        "return record.use() != PoolRecord.Use.PAUSED && !stoppedWithoutPilots;"),
                new Mutant(
                        "a paused pool goes on",
                        "model/Pool.java",
                        "return record.use() != PoolRecord.Use.PAUSED && !stoppedWithoutPilots;",
                        "return !stoppedWithoutPilots;"),
                new Mutant(
                        "each of several lanes takes a whole window",
                        "model/Pool.java",
                        "(whole + lanes - 1) / lanes",
                        "whole"),
                new Mutant(
                        "the files of a paused task count as paused after it goes on",
                        "view/WaitReason.java",
                        "        if (p.paused) {\n",
                        "        if (p.pauseCommandAt > 0) {\n"),
                new Mutant(
                        "one task too many is interleaved",
                        "task/Admission.java",
                        "boolean isFree = active < slots || extra;",
                        "boolean isFree = active <= slots || extra;"),
                new Mutant(
                        "a task that waits for a place does not age",
                        "task/Admission.java",
                        "                since - p.base * lane",
                        "                -p.base * lane"),
                new Mutant(
                        "a task of higher rank waits no shorter for a place",
                        "task/Admission.java",
                        "since - p.base * lane.options.admission().waitPerRank().toMillis();",
                        "since;"),
                new Mutant(
                        "a new rank does not change the place among the tasks that wait",
                        "command/TaskCommands.java",
                        "admission.moved(task);",
                        ""),
                new Mutant(
                        "a task that has released all its files keeps its place",
                        "model/OpenTask.java",
                        "return progress.listed && progress.released == progress.jobs\n                ||",
                        "return"),
                new Mutant(
                        "a task that waits for DSM keeps its place",
                        "model/OpenTask.java",
                        "progress.pageTrouble != null && backlog.fresh() == 0;",
                        "progress.pageTrouble != null && backlog.fresh() < 0;"),
                new Mutant(
                        "one task more than may be reads ahead",
                        "task/Admission.java",
                        "active + pool.reading < slots + lane",
                        "active + pool.reading <= slots + lane"),
                new Mutant(
                        "a node is set aside one failure late",
                        "pilot/NodeHealth.java",
                        "failures >= after && mayBeSetAside(node)",
                        "failures > after && mayBeSetAside(node)"),
                new Mutant(
                        "a node is set aside for twice as long",
                        "pilot/NodeHealth.java",
                        "aside ? lane.now() + lane.options",
                        "aside ? lane.now() + 2 * lane.options"),
                new Mutant(
                        "failures of the payload set a node aside",
                        "job/AttemptOutcome.java",
                        "if (errorClass == ErrorClass.SYSTEM && r.errorType != ErrorType.MISSING && !leaves) {\n            nodes.failed",
                        "if (errorClass != null) {\n            nodes.failed"),
                new Mutant(
                        "a finished job does not end a row of failures",
                        "job/AttemptOutcome.java",
                        "nodes.worked(result.pilotId());",
                        ""),
                new Mutant(
                        "a lost pilot does not count against its node",
                        "job/AttemptOutcome.java",
                        "nodes.failed(r.pilot, job.pool());",
                        ""),
                new Mutant(
                        "all nodes of a pool may be set aside",
                        "pilot/NodeHealth.java",
                        "nodes * 2 > pool.nodes",
                        "nodes > pool.nodes"),
                new Mutant(
                        "a node is tried again with all its pilots at once",
                        "pilot/NodeHealth.java",
                        "return hasProbe(record) && !probe.equals(jobUid)",
                        "return probe == null && hasProbe(record)"),
                new Mutant(
                        "the other pilots of a node wait until its probe is over",
                        "pilot/NodeHealth.java",
                        "lane.jobs.get(probe).record.phase == Phase.STARTING",
                        "lane.jobs.get(probe).isStarted()"),
                new Mutant(
                        "pilots are not told that the time of their node is over",
                        "pilot/NodeHealth.java",
                        "lane.timers.set(node.back, until);",
                        ""),
                new Mutant(
                        "a pilot at a node set aside keeps what it starts",
                        "pilot/NodeHealth.java",
                        "String why = unwanted(name, jobUid);",
                        "String why = null;"),
                new Mutant(
                        "a file never falls to a lower priority",
                        "model/OpenTask.java",
                        "demoteAfterS * 1000L ? lowered : own",
                        "demoteAfterS * 1000L ? own : own"),
                new Mutant(
                        "a file that has waited too long rises to a better priority",
                        "model/OpenTask.java",
                        "demoteAfterS == null || own >= lowered",
                        "demoteAfterS == null"),
                new Mutant(
                        "a priority that was given earlier and comes late counts",
                        "command/TaskCommands.java",
                        "lane.isOlder(given.at(), before.at())",
                        "given.at() < 0"),
                new Mutant(
                        "a file that is given a better priority keeps its place",
                        "command/TaskCommands.java",
                        "int now = task.priorityNow(position, command.priority());",
                        "int now = dev.weir.protocol.FileInfo.MAX_PRIORITY;"),
                new Mutant(
                        "a file that is given a priority falls as if it had been read just then",
                        "model/OpenTask.java",
                        "byCommand == null ? read : Math.max(read, byCommand.at())",
                        "read"),
                new Mutant(
                        "a restore forgets the priorities that were given",
                        "MemoryBuilder.java",
                        "task.given.put(Tables.numberOf(key), GivenPriority.parse(priority));",
                        ""),
                new Mutant(
                        "a file of a task that is not in priority order is given a priority",
                        "command/TaskCommands.java",
                        "!p.indexed || task.spec().order() != Order.PRIORITY",
                        "p.uid.isEmpty()"),
                new Mutant(
                        "a pool with pilots gives nothing while groups are limited",
                        "LaneApplication.java",
                        "lane.options.lanes() == 1 && !pool.hasPilots()",
                        "lane.options.lanes() == 1"),
                new Mutant(
                        "a soft close that is read before the reports that waited cancels what has finished",
                        "command/Commands.java",
                        "(lane.isCatchingUp() || task.commandWaits)",
                        "task.commandWaits"),
                new Mutant(
                        "a message of a job that is over takes a place until a pilot starts it",
                        "job/InFlight.java",
                        "        } else if (!timer.isSet()) {\n            lane.timers.set(timer, next);",
                        "        } else if (timer.isSet()) {\n            lane.timers.clear(timer);"),
                new Mutant(
                        "a pool is not filled when a job of it ends",
                        "job/InFlight.java",
                        "            default -> throw new IllegalStateException(\"job \" + job.record.uid + \" is not out but \" + job.record.phase);\n        }\n        lane.agenda.fill(pool);",
                        "            default -> throw new IllegalStateException(\"job \" + job.record.uid + \" is not out but \" + job.record.phase);\n        }"));
    }
}
