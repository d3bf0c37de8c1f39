package dev.weir.scheduler.lane;

import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.MadeFile;
import dev.weir.scheduler.state.Names;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Progress.Stop;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/**
 * Outputs and logs are registered; when every job is over, the dataset closes once, with the names of all that was registered
 * (seed 002, 2.3). A long list leaves in parts, one to a tick, so that no event takes long.
 */
final class Closure {

    /** So many of the longest names ({@link Limits#MAX_NAME_BYTES}) fit in a message. */
    private static final int NAMES_TO_A_PART = 1000;

    private static final int PIECES_TO_A_PART = NAMES_TO_A_PART / Names.PIECE;
    private static final int PIECES_TO_A_STEP = 256;

    private final Lane lane;

    Closure(Lane lane) {
        this.lane = lane;
    }

    void register(TaskEntry task, JobRecord job, MadeFile file, boolean output) {
        Task spec = task.spec();
        Progress p = task.p;
        String id = job.uid + "/" + file.attempt() + (output ? "/out" : "/log");
        String path = path(spec.datStorUrl(), file.url());
        Registration registration = output
                ? new Registration.File(
                        id, spec.datOutUid(), path, spec.storageId(), file.size(), file.checksum(), job.uid)
                : new Registration.Log(
                        id, spec.datOutUid(), path, spec.storageId(), file.size(), file.checksum(), job.uid);
        lane.effects.register(registration);
        lane.rows.file(task, job, file, id, path, output);
        long index = p.registered++;
        if (index % Names.PIECE == 0 || task.checkListTail == null) {
            task.checkListKey = Tables.key(p.uid, index / Names.PIECE);
            task.checkListTail =
                    index % Names.PIECE == 0 ? new Names() : lane.writes.get(Tables.CHECK_LIST, task.checkListKey);
        }
        task.checkListTail.add(path.substring(path.lastIndexOf('/') + 1));
        lane.writes.put(Tables.CHECK_LIST, task.checkListKey, task.checkListTail);
        lane.writes.changed(task);
    }

    /** A file's path on its storage; of a URL elsewhere, the whole URL. */
    private static String path(String storageUrl, String url) {
        int from = storageUrl.length();
        boolean below = url.startsWith(storageUrl)
                && from < url.length()
                && (storageUrl.endsWith("/") || url.charAt(from) == '/');
        if (!below) {
            return url;
        }
        while (from < url.length() - 1 && url.charAt(from) == '/') {
            from++;
        }
        return url.substring(from);
    }

    /** Remembers a job that failed for good, for retry_failed and for the end. */
    void failed(TaskEntry task, JobRecord job) {
        long index = task.p.failedListed++;
        String key = Tables.key(task.p.uid, index / Names.PIECE);
        Names tail = index % Names.PIECE == 0 ? new Names() : lane.writes.get(Tables.FAILED, key);
        tail.add(job.uid);
        lane.writes.put(Tables.FAILED, key, tail);
        lane.writes.changed(task);
    }

    /** Takes the list of failed jobs away. */
    List<String> takeFailed(TaskEntry task) {
        List<String> uids = new ArrayList<>();
        long pieces = pieces(task.p.failedListed);
        for (long piece = 0; piece < pieces; piece++) {
            String key = Tables.key(task.p.uid, piece);
            uids.addAll(lane.writes.get(Tables.FAILED, key).names());
            lane.writes.remove(Tables.FAILED, key);
        }
        task.p.failedListed = 0;
        lane.writes.changed(task);
        return uids;
    }

    private static long pieces(long names) {
        return (names + Names.PIECE - 1) / Names.PIECE;
    }

    void closeIfDone(TaskEntry task) {
        Progress p = task.p;
        if (p.closing || task.gone || !p.exhausted() || p.live() > 0) {
            return;
        }
        p.closing = true;
        lane.slots.leaveQueue(task);
        lane.slots.giveBack(task);
        lane.writes.changed(task);
        step(task);
    }

    /** One part of the check-list, or then some of the cleaning up. */
    void step(TaskEntry task) {
        Progress p = task.p;
        int parts = (int) Math.max(1, (p.registered + NAMES_TO_A_PART - 1) / NAMES_TO_A_PART);
        if (p.closingPart < parts) {
            sendPart(task, ++p.closingPart, parts);
        }
        if (p.closingPart == parts && clean(task)) {
            end(task);
        } else {
            lane.writes.changed(task);
            lane.wall.set(task.closeTimer, lane.now);
        }
    }

    private void sendPart(TaskEntry task, int part, int parts) {
        Progress p = task.p;
        long from = (long) (part - 1) * PIECES_TO_A_PART;
        long to = Math.min(pieces(p.registered), from + PIECES_TO_A_PART);
        List<String> names = new ArrayList<>();
        for (long piece = from; piece < to; piece++) {
            String key = Tables.key(p.uid, piece);
            names.addAll(lane.writes.get(Tables.CHECK_LIST, key).names());
            lane.writes.remove(Tables.CHECK_LIST, key);
        }
        String dataset = task.spec().datOutUid();
        lane.effects.register(new Registration.Close(p.uid + "/close/" + part, dataset, names, part, parts));
    }

    /** Removes what the task has left in state, a bounded amount at a time. Returns whether nothing is left. */
    private boolean clean(TaskEntry task) {
        Progress p = task.p;
        long piece = pieces(p.failedListed) - 1;
        for (int i = 0; i < PIECES_TO_A_STEP && piece >= 0; i++, piece--) {
            String key = Tables.key(p.uid, piece);
            for (String uid : lane.writes.get(Tables.FAILED, key).names()) {
                LiveJob ghost = lane.jobs.get(uid);
                if (ghost == null) {
                    showEnd(task, uid);
                    forgetInputs(task, uid);
                    lane.writes.remove(Tables.JOB, uid);
                }
            }
            lane.writes.remove(Tables.FAILED, key);
        }
        p.failedListed = (piece + 1) * Names.PIECE;
        if (piece >= 0) {
            return false;
        }
        if (p.indexed) {
            int left = task.pieces();
            int stop = Math.max(0, left - PIECES_TO_A_STEP * Names.PIECE);
            while (left > stop) {
                lane.writes.remove(Tables.RELEASED, Tables.key(p.uid, --left));
            }
            p.known = (long) left * dev.weir.scheduler.state.Bits.POSITIONS;
            return left == 0;
        }
        return true;
    }

    /** The files of a Merge job that failed were kept, for it might have been tried again. */
    private void forgetInputs(TaskEntry task, String uid) {
        JobRecord job = task.spec().mode() == Mode.MERGE ? lane.writes.job(uid) : null;
        if (job != null) {
            lane.writes.remove(Tables.CHUNK, Tables.key(task.p.uid, job.position));
        }
    }

    /**
     * The mirror may show a failed job at work: it was tried again by command, and then we were restored to before that. It keeps its
     * end, so this is shown again, once, of jobs that had failed before the restore.
     */
    private void showEnd(TaskEntry task, String uid) {
        if (task.p.acceptedAt < lane.builtAt) {
            JobRecord job = lane.writes.job(uid);
            if (job != null && job.endedAt > 0 && job.endedAt < lane.builtAt) {
                lane.rows.jobAgain(job);
            }
        }
    }

    private void end(TaskEntry task) {
        Progress p = task.p;
        boolean failed = p.stop == Stop.FAIL;
        lane.intake.announce(task, failed ? TaskState.FAILED : TaskState.CLOSED, p.stopReason);
        forget(task, failed ? TaskState.FAILED : TaskState.CLOSED);
    }

    /** A task that never had a dataset: nothing to close. */
    void rejected(TaskEntry task, String reason) {
        lane.intake.announce(task, TaskState.REJECTED, reason);
        forget(task, TaskState.REJECTED);
    }

    private void forget(TaskEntry task, TaskState last) {
        Progress p = task.p;
        if (task.claims != null) {
            new ArrayList<>(task.claims.keySet()).forEach(position -> lane.claims.forget(task, position));
        }
        for (long position : task.givenPriorities.keySet()) {
            lane.writes.remove(Tables.PRIORITY, Tables.key(p.uid, position));
        }
        lane.rows.closed(task, last);
        lane.wall.clear(task.closeTimer);
        lane.wall.clear(task.pageTimer);
        lane.wall.clear(task.rowTimer);
        task.gone = true;
        lane.writes.changed(task);
        lane.writes.remove(Tables.TASK, p.uid);
        lane.writes.remove(Tables.OUTPUT, task.spec().datOutUid());
        lane.tasks.remove(p.uid);
        lane.memory.taskClosed(p.uid, p.contentHash);
        if (last != TaskState.REJECTED) {
            lane.memory.datasetClosed(task.spec().datOutUid(), p.uid);
        }
        lane.mayStart(task.pool);
    }
}
