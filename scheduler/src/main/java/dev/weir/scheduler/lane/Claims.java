package dev.weir.scheduler.lane;

import dev.weir.protocol.Route;
import dev.weir.scheduler.backlog.Entry;
import dev.weir.scheduler.lane.Reports.AboutJob;
import dev.weir.scheduler.state.Claim;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reports about files that our state has not released: we were restored from before, so the file is adopted. When the file's page
 * (or the whole task) has not been read again yet, the newest report waits for it; the job's uid then proves the report.
 */
final class Claims {

    /**
     * Most reports that wait for their files to be read, of all tasks: what may have been sent between a checkpoint and its restore.
     */
    private static final int MOST_UNREAD = 100_000;
    /**
     * One that finds no room is only counted: our own restart may explain it, so it is no error. A pilot that lives says so again,
     * and the file of a result is processed again once it is read.
     */
    private static final String NO_ROOM = "no room to wait";

    private final Lane lane;
    /** By task uid, then position: claims of tasks that are not here. */
    private final Map<String, TreeMap<Long, Claim>> withoutTask = new HashMap<>();

    private int countWithoutTask;
    /** Reports about tasks that are here. */
    private int countUnread;

    Claims(Lane lane) {
        this.lane = lane;
    }

    /** A report about a file that is not released. Its pilot is heard before the file is adopted: it may be one that may take nothing. */
    void pending(TaskEntry task, long position, AboutJob about) {
        if (position < task.p.known) {
            if (!isOf(task, position, about)) {
                throw new Refused(
                        "job_uid",
                        "task '" + task.p.uid + "' has another job at position " + position + " than '" + about.jobUid()
                                + "'");
            }
            lane.pilots.heard(about);
            adopt(task, position, about);
            return;
        }
        lane.pilots.heard(about);
        Claim known = task.claim(position);
        if (known == null && countUnread >= MOST_UNREAD) {
            lane.counters.stale(NO_ROOM);
            return;
        }
        Claim claim = newer(known, task.p.uid, position, about);
        hold(task, claim);
        put(claim);
    }

    /** Keeps a claim of a task that is here, from a report or after a restore. */
    void hold(TaskEntry task, Claim claim) {
        Claim known = task.claim(claim.position());
        countUnread += (claim.report() == null ? 0 : 1) - (known == null || known.report() == null ? 0 : 1);
        task.claimIs(claim);
    }

    private Claim newer(Claim known, String taskUid, long position, AboutJob about) {
        if (known == null || known.report() == null) {
            return new Claim(taskUid, position, about.report(), lane.now);
        }
        AboutJob before = AboutJob.of(known.report());
        boolean wins = about.isFinished()
                || !before.isFinished() && about.attempt() > before.attempt()
                || about.attempt() == before.attempt()
                        && !before.isResult()
                        && (about.isResult() || about.pilotId().equals(before.pilotId()));
        return wins ? new Claim(taskUid, position, about.report(), known.since()) : known;
    }

    private void put(Claim claim) {
        lane.writes.put(Tables.CLAIM, Tables.key(claim.taskUid(), claim.position()), claim);
    }

    void forget(TaskEntry task, long position) {
        Claim known = task.claim(position);
        countUnread -= known == null || known.report() == null ? 0 : 1;
        task.claimGone(position);
        lane.writes.remove(Tables.CLAIM, Tables.key(task.p.uid, position));
    }

    /** Whether the report's job is the one of a file that has been read. */
    private boolean isOf(TaskEntry task, long position, AboutJob about) {
        Entry file = lane.release.file(task, position);
        return Hash.jobUid(task.p.uid, position, file.url()).equals(about.jobUid());
    }

    /** Takes the file of the report's job as released. */
    private void adopt(TaskEntry task, long position, AboutJob about) {
        Entry file = lane.release.file(task, position);
        List<String> groups = task.p.indexed ? file.groups() : task.spec().groups();
        task.backlog.forget(groups, lane.now);
        LiveJob job = lane.release.begin(task, position, file, groups);
        if (!task.p.indexed) {
            Claim adopted = new Claim(task.p.uid, position, null, lane.now);
            hold(task, adopted);
            put(adopted);
        }
        lane.adoption.adopted(job, about.attempt(), 1);
        lane.release.taken(task, position);
        lane.reports.live(job, about);
        if (Slots.isUsedUp(task)) {
            // It may have waited for a slot that it can't use any more.
            lane.slots.leaveQueue(task);
            lane.slots.giveBack(task);
        }
    }

    /** Positions have been read: what was claimed of them is adopted. */
    void pageCame(TaskEntry task) {
        if (task.claims == null) {
            return;
        }
        for (Claim claim : new ArrayList<>(task.claims.headMap(task.p.known).values())) {
            // A result among them may have stopped the task, and with it the other claims.
            if (claim.report() != null && task.claim(claim.position()) == claim) {
                forget(task, claim.position());
                AboutJob about = AboutJob.of(claim.report());
                if (!task.isReleased(claim.position()) && isOf(task, claim.position(), about)) {
                    adopt(task, claim.position(), about);
                } else {
                    lane.counters.stale("no such job");
                    lane.effects.rejectedAfterWaiting(
                            claim.report(),
                            "task '" + task.p.uid + "' has another job at position " + claim.position() + " than '"
                                    + about.jobUid() + "', which pilot '" + about.pilotId() + "' reported",
                            "job_uid");
                }
            }
        }
        if (task.p.listed && task.claims != null) {
            for (Claim claim : new ArrayList<>(task.claims.tailMap(task.p.known).values())) {
                forget(task, claim.position());
                lane.counters.stale("no such job");
            }
        }
    }

    /** The task will read nothing more. Results that wait are lost with the files that they are about: all count as cancelled. */
    List<AboutJob> dropWaiting(TaskEntry task) {
        List<AboutJob> waiting = new ArrayList<>();
        if (task.claims != null) {
            for (Claim claim : new ArrayList<>(task.claims.values())) {
                if (claim.report() != null) {
                    forget(task, claim.position());
                    waiting.add(AboutJob.of(claim.report()));
                }
            }
        }
        return waiting;
    }

    /** A report about a task that is not here. It may come again after a restore, so the report waits a while. */
    void withoutTask(Route route, AboutJob about) {
        TreeMap<Long, Claim> claims = withoutTask.get(route.taskUid());
        Claim known = claims == null ? null : claims.get(route.position());
        if (known == null && countWithoutTask >= lane.options.commands().maxWaiting()) {
            lane.counters.stale(NO_ROOM);
            return;
        }
        Claim claim = newer(known, route.taskUid(), route.position(), about);
        put(claim);
        hold(claim);
    }

    /** Keeps a claim of a task that is not here, from a report or after a restore. */
    void hold(Claim claim) {
        TreeMap<Long, Claim> claims = withoutTask.computeIfAbsent(claim.taskUid(), uid -> new TreeMap<>());
        if (claims.put(claim.position(), claim) == null) {
            countWithoutTask++;
            long until = claim.since() + lane.options.commands().waitForTask().toMillis();
            lane.wall.set(new Timer(() -> giveUp(claim.taskUid(), claim.position())), until);
        }
    }

    private void giveUp(String taskUid, long position) {
        TreeMap<Long, Claim> claims = withoutTask.get(taskUid);
        Claim claim = claims == null ? null : claims.remove(position);
        if (claim == null) {
            return;
        }
        countWithoutTask--;
        if (claims.isEmpty()) {
            withoutTask.remove(taskUid);
        }
        lane.writes.remove(Tables.CLAIM, Tables.key(taskUid, position));
        AboutJob about = AboutJob.of(claim.report());
        lane.counters.rejected++;
        lane.effects.rejectedAfterWaiting(
                claim.report(),
                "pilot '" + about.pilotId() + "' reported job '" + about.jobUid() + "' of task '" + taskUid
                        + "', which is not known and has not come since",
                "route");
    }

    /** The task is here: its claims wait for its pages now. */
    void taskCame(TaskEntry task) {
        TreeMap<Long, Claim> claims = withoutTask.remove(task.p.uid);
        if (claims != null) {
            countWithoutTask -= claims.size();
            claims.values().forEach(claim -> hold(task, claim));
        }
    }
}
