package dev.weir.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator bites: each of these deliberate bugs in the core's own source is found within a few hundred seeds. Two at a time. */
@Execution(ExecutionMode.CONCURRENT)
class MutantTest {

    private static final int SEEDS = 600;

    static List<Mutant> mutants() {
        return List.of(
                new Mutant(
                        "important tasks get twice the weight that they should",
                        "rank/Rankers.java",
                        "Math.round(rank)));",
                        "Math.round(2 * rank)));"),
                new Mutant(
                        "a group takes one job more than it may",
                        "limit/Group.java",
                        "limit.maxInFlight() - inFlight",
                        "limit.maxInFlight() - inFlight + 1"),
                new Mutant(
                        "the sliding window is half as long",
                        "limit/StartWindow.java",
                        "<= nowMillis - windowMillis) {",
                        "<= nowMillis - windowMillis / 2) {"),
                new Mutant(
                        "an outage of ours expires leases",
                        "lane/Beats.java",
                        "Math.min(since, intervalMillis())",
                        "since"),
                new Mutant(
                        "the report of any pilot counts",
                        "lane/Reports.java",
                        "} else if (!about.pilotId.equals(r.pilot)) {",
                        "} else if (about.pilotId.isEmpty()) {"),
                new Mutant(
                        "a late finished is dropped",
                        "lane/Reports.java",
                        "} else if (about.isFinished()) {",
                        "} else if (about.isFinished() && about.pilotId.isEmpty()) {"),
                new Mutant(
                        "a job that was lost for good stays lost, whatever its pilot has finished",
                        "lane/Reports.java",
                        "return isFinished() && job.lost.has(attempt);",
                        "return false;"),
                new Mutant(
                        "a late finished registers a second output",
                        "lane/Endings.java",
                        "r.lost = LostAttempts.NONE;",
                        ""),
                new Mutant(
                        "the message behind a late finished takes no place",
                        "lane/Reports.java",
                        "job.stillQueued = r.attempt;",
                        ""),
                new Mutant(
                        "a task goes to the pool of its device, whichever it names",
                        "lane/Intake.java",
                        "lane.pools.get(task.poolName())",
                        "lane.pools.get(dev.weir.protocol.Names.pool(task.deviceType()))"),
                new Mutant(
                        "one retry too many",
                        "lane/Outcomes.java",
                        "r.payloadFailures < task.spec().retry()",
                        "r.payloadFailures <= task.spec().retry()"),
                new Mutant(
                        "nothing cools off",
                        "lane/Outcomes.java",
                        "r.deadline = lane.now + coolOffMillis(r)",
                        "r.deadline = lane.now"),
                new Mutant(
                        "a cancelled queued job gives its place away at once",
                        "lane/Endings.java",
                        "if (job.stillQueued > 0) {",
                        "if (job.stillQueued > 0 && status != JobStatus.CANCELLED) {"),
                new Mutant(
                        "one more task than may be is admitted whenever the window has room",
                        "lane/Slots.java",
                        "return pool.blocked == pool.active && pool.givesFresh()",
                        "return pool.givesFresh()"),
                new Mutant(
                        "a job whose message was lost is never sent again",
                        "lane/Flights.java",
                        "isEmpty && lane.now - pool.startedAt >= timeout",
                        "pool.idle < 0"),
                new Mutant(
                        "a heartbeat renews nothing",
                        "lane/Flights.java",
                        "job.r.leaseUntil = lane.record.beatClock + lane.options.pilots().lease().toMillis();",
                        ""),
                new Mutant(
                        "a dataset closes while jobs are out",
                        "lane/Closure.java",
                        "|| !p.exhausted() || p.live() > 0",
                        "|| !p.exhausted()"),
                new Mutant(
                        "a page counts whatever its offset",
                        "lane/Reading.java",
                        "task.p.readTo != offset",
                        "offset < 0"),
                new Mutant(
                        "a task is cancelled although most of it finishes",
                        "lane/Stops.java",
                        "&& bad > p.finished) {",
                        "&& bad > 0) {"),
                new Mutant(
                        "an older rank overrides a newer one",
                        "lane/Commands.java",
                        "if (at < p.rankCommandAt) {",
                        "if (at < 0) {"),
                new Mutant(
                        "the window is one too wide",
                        "lane/Release.java",
                        "int room = pool.window(lane.options.lanes()) - pool.out();",
                        "int room = pool.window(lane.options.lanes()) - pool.out() + 1;"),
                new Mutant(
                        "a pilot that may take nothing is told so only once",
                        "lane/Pilots.java",
                        "        recount(pilot);\n        drainIfUnwanted(pilot);\n    }",
                        "        recount(pilot);\n    }"),
                new Mutant(
                        "a job that we stop again and again comes back at once",
                        "lane/Outcomes.java",
                        "if (r.orderedKills > 0) {",
                        "if (r.orderedKills < 0) {"),
                new Mutant(
                        "a pool that is drained goes on with fresh files",
                        "lane/PoolEntry.java",
                        "return record.use() == Use.NORMAL && !rests;",
                        "return record.use() != Use.PAUSED && !rests;"),
                new Mutant(
                        "a paused pool goes on",
                        "lane/PoolEntry.java",
                        "return record.use() != Use.PAUSED && !rests;",
                        "return !rests;"),
                new Mutant(
                        "each of several lanes takes a whole window",
                        "lane/PoolEntry.java",
                        "(whole + lanes - 1) / lanes",
                        "whole"),
                new Mutant(
                        "each of several lanes takes a whole limit",
                        "limit/Groups.java",
                        "new Group(key, keys.limit(key).ofLane(lane, lanes), null)",
                        "new Group(key, keys.limit(key), null)"),
                new Mutant(
                        "the files of a paused task count as paused after it goes on",
                        "lane/Held.java",
                        "files[part.cell] -= part.files;",
                        ""),
                new Mutant(
                        "one task too many is interleaved",
                        "lane/Slots.java",
                        "boolean isFree = pool.active < most || extra;",
                        "boolean isFree = pool.active <= most || extra;"),
                new Mutant(
                        "a task that waits for a place does not age",
                        "lane/Slots.java",
                        "task.admissionKey = since - p.base * waitPerRankMillis();",
                        "task.admissionKey = -p.base;"),
                new Mutant(
                        "a task of higher rank waits no shorter for a place",
                        "lane/Slots.java",
                        "task.admissionKey = since - p.base * waitPerRankMillis();",
                        "task.admissionKey = since;"),
                new Mutant(
                        "a new rank does not change the place among the tasks that wait",
                        "lane/Commands.java",
                        "lane.slots.moved(task);",
                        ""),
                new Mutant(
                        "a task that has released all its files keeps its place",
                        "lane/Release.java",
                        "lane.slots.giveBack(task);",
                        ""),
                new Mutant(
                        "a task that waits for DSM keeps its place",
                        "lane/Reading.java",
                        "if (task.p.slot && task.backlog.fresh() == 0) {",
                        "if (task.p.slot && task.backlog.fresh() < 0) {"),
                new Mutant(
                        "one task more than may be reads ahead",
                        "lane/Slots.java",
                        "pool.active + pool.reading < most + readAhead",
                        "pool.active + pool.reading <= most + readAhead"),
                new Mutant(
                        "a node is set aside one failure late",
                        "lane/Nodes.java",
                        "failures >= after && mayBeSetAside(node)",
                        "failures > after && mayBeSetAside(node)"),
                new Mutant(
                        "a node is set aside for twice as long",
                        "lane/Nodes.java",
                        "aside ? lane.now + lane.options",
                        "aside ? lane.now + 2 * lane.options"),
                new Mutant(
                        "failures of the payload set a node aside",
                        "lane/Outcomes.java",
                        "if (errorClass == ErrorClass.SYSTEM) {\n            lane.nodes.failed",
                        "if (errorClass != null) {\n            lane.nodes.failed"),
                new Mutant(
                        "a finished job does not end a row of failures",
                        "lane/Outcomes.java",
                        "lane.nodes.worked(result.pilotId());",
                        ""),
                new Mutant(
                        "a lost pilot does not count against its node",
                        "lane/Pilots.java",
                        "lane.nodes.failed(job.pilot, lane.pools.get(job.pool));",
                        ""),
                new Mutant(
                        "all nodes of a pool may be set aside",
                        "lane/Nodes.java",
                        "nodes * 2 > pool.nodes",
                        "nodes > pool.nodes"),
                new Mutant(
                        "a node is tried again with all its pilots at once",
                        "lane/Nodes.java",
                        "probe != null && !probe.equals(jobUid) && runsAt(",
                        "probe == null && runsAt("),
                new Mutant(
                        "pilots are not told that the time of their node is over",
                        "lane/Nodes.java",
                        "lane.wall.set(node.back(lane), until);",
                        ""),
                new Mutant(
                        "a pilot at a node set aside keeps what it starts",
                        "lane/Nodes.java",
                        "String why = unwanted(name, jobUid);",
                        "String why = null;"),
                new Mutant(
                        "a file never falls to a lower priority",
                        "lane/TaskEntry.java",
                        "demoteAfterS * 1000L ? lowered : own",
                        "demoteAfterS * 1000L ? own : own"),
                new Mutant(
                        "a file that has waited too long rises to a better priority",
                        "lane/TaskEntry.java",
                        "demoteAfterS == null || own >= lowered",
                        "demoteAfterS == null"),
                new Mutant(
                        "a priority that was given earlier and comes late counts",
                        "lane/Commands.java",
                        "given.at() < before.at()",
                        "given.at() < 0"),
                new Mutant(
                        "a file that is given a better priority keeps its place",
                        "lane/Commands.java",
                        "int now = task.priorityNow(position, command.priority());",
                        "int now = dev.weir.protocol.FileInfo.MAX_PRIORITY;"),
                new Mutant(
                        "a file that is given a priority falls as if it had been read just then",
                        "lane/TaskEntry.java",
                        "since = Math.max(since, given.at());",
                        "since = chunk.since;"),
                new Mutant(
                        "a restore forgets the priorities that were given",
                        "lane/Rebuild.java",
                        "task.givenPriorities.put(Long.parseLong(key.substring(slash + 1)),"
                                + " GivenPriority.parse(priority));",
                        ""),
                new Mutant(
                        "a file of a task that is not in priority order is given a priority",
                        "lane/Commands.java",
                        "!p.indexed || task.spec().order() != Order.PRIORITY",
                        "p.uid.isEmpty()"),
                new Mutant(
                        "all regular expressions share their groups",
                        "limit/GroupKeys.java",
                        "case REGEX -> ++expressions == 1 ? \"re:\" : \"re\" + expressions + \":\";",
                        "case REGEX -> \"re:\";"),
                new Mutant(
                        "a regular expression always means its whole match",
                        "limit/GroupKeys.java",
                        "matcher.groupCount() > 0 && matcher.group(1) != null",
                        "matcher.groupCount() < 0"),
                new Mutant(
                        "a rule without limits of single groups limits nothing",
                        "limit/GroupKeys.java",
                        "if (limit != null && key",
                        "if (limit == null && key"),
                new Mutant(
                        "a file is in the first of its groups only",
                        "limit/GroupKeys.java",
                        "if (!keys.contains(key)) {",
                        "if (keys.isEmpty()) {"),
                new Mutant(
                        "a window that changes forgets what started in it",
                        "limit/Group.java",
                        "        commanded = whole;",
                        "        starts = null;\n        commanded = whole;"),
                new Mutant(
                        "a group that has kept a place once always keeps it",
                        "limit/Group.java",
                        "return kept != null && !kept.isFree();",
                        "return kept != null;"),
                new Mutant(
                        "a place is kept for a pool that has got it",
                        "limit/Lines.java",
                        "withdraw(own, nowMillis);",
                        "own.served();"),
                new Mutant(
                        "a pool with pilots gives nothing while groups are limited",
                        "lane/Lane.java",
                        "options.lanes() == 1 && !pool.hasPilots()",
                        "options.lanes() == 1"));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void theSimulatorFindsOutThat(Mutant mutant) throws ReflectiveOperationException {
        String violation = new MutatedCore(mutant).firstViolation(SEEDS);

        assertThat(violation).as("what gives away that %s", mutant).isNotNull();
    }
}
