package dev.weir.scheduler.lane;

import dev.weir.protocol.Job;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Route;
import dev.weir.protocol.Task;
import dev.weir.protocol.Texts;
import dev.weir.scheduler.backlog.Backlog;
import dev.weir.scheduler.backlog.Chunk;
import dev.weir.scheduler.backlog.Entry;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.rank.Ranker;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.JobRecord;
import dev.weir.scheduler.state.JobRecord.Phase;
import dev.weir.scheduler.state.Progress;
import dev.weir.scheduler.state.Tables;
import java.util.ArrayList;
import java.util.List;

/** Jobs go out: while a pool's window has room, the task whose turn it is gives one. */
final class Release {

    private static final int CHUNK_GROWTH = 4;
    /** Bytes; room is left in the 255 of a file system for position, attempt, the pilot's mark and the ending. */
    private static final int LONGEST_STEM = 160;

    private final Lane lane;

    Release(Lane lane) {
        this.lane = lane;
    }

    void fill(PoolEntry pool) {
        if (!pool.triesAgain()) {
            return;
        }
        int room = pool.window(lane.options.lanes()) - pool.out();
        while (room > 0) {
            TaskEntry task = (TaskEntry) pool.policy.next();
            if (task == null) {
                return;
            }
            if (lane.isOvertaken(pool)) {
                lane.mayStart(pool);
                return;
            }
            Backlog backlog = task.backlog;
            if (!backlog.next(task.p.slot && pool.givesFresh(), lane.dice, lane.now, task)) {
                task.readinessChanged();
                continue;
            }
            if (backlog.retry() != null) {
                again(task, (LiveJob) backlog.retry());
            } else {
                fresh(task, backlog.position());
            }
            room--;
        }
    }

    private void fresh(TaskEntry task, long chosen) {
        List<String> keys = task.backlog.groupKeys();
        long position = chosen == Backlog.AT_CURSOR ? advance(task) : chosen;
        Entry file = file(task, position);
        LiveJob job = begin(task, position, file, keys);
        job.groups = task.backlog.groups();
        taken(task, position);
        Progress p = task.p;
        p.chunkReleased++;
        p.chunkLeft--;
        send(job);
        if (p.chunkLeft <= 0 || p.listed && p.released == p.jobs) {
            endChunk(task);
        }
        p.lastReleasedAt = lane.now;
        if (Slots.isUsedUp(task)) {
            lane.slots.giveBack(task);
        }
    }

    /** Moves the cursor over positions that were adopted, and then over the one that it returns. */
    private long advance(TaskEntry task) {
        passAdopted(task);
        return task.p.cursor++;
    }

    private void passAdopted(TaskEntry task) {
        Progress p = task.p;
        while (task.isAdopted(p.cursor)) {
            lane.claims.forget(task, p.cursor);
            p.cursor++;
        }
    }

    /** The file at a position, of the first one for Merge; the position must have been read. */
    Entry file(TaskEntry task, long position) {
        ChunkMeta meta = task.chunkAt(position);
        if (meta == null) {
            throw new IllegalStateException("task " + task.p.uid + " has no chunk for position " + position);
        }
        int index = task.spec().mode() == Mode.MERGE ? 0 : (int) (position - meta.first);
        return lane.reading.chunk(task, meta).get(index);
    }

    /** A job for a file that was never released. */
    LiveJob begin(TaskEntry task, long position, Entry file, List<String> groupKeys) {
        JobRecord r = new JobRecord();
        String url = file.url();
        r.uid = Hash.jobUid(task.p.uid, position, url);
        r.taskUid = task.p.uid;
        r.position = position;
        r.attempt = 1;
        r.pool = task.pool.name;
        r.inputUrl = url;
        r.inputSize = file.size();
        r.inputChecksum = file.checksum();
        r.groups = groupKeys;
        LiveJob job = new LiveJob(lane, r, task, task.pool);
        lane.jobs.put(r.uid, job);
        task.live.add(job);
        task.p.released++;
        lane.writes.changed(task);
        lane.rows.taskSoon(task);
        return job;
    }

    /** The file at a position waits no more: its chunk goes once nothing of it waits. */
    void taken(TaskEntry task, long position) {
        ChunkMeta meta = task.chunkAt(position);
        if (meta == null) {
            return;
        }
        if (!task.givenPriorities.isEmpty() && task.givenPriorities.remove(position) != null) {
            lane.writes.remove(Tables.PRIORITY, Tables.key(task.p.uid, position));
        }
        if (task.p.indexed) {
            lane.writes.put(
                    Tables.RELEASED,
                    Tables.key(task.p.uid, position / dev.weir.scheduler.state.Bits.POSITIONS),
                    task.mark(position));
            if (--meta.remaining == 0) {
                lane.reading.chunkDone(task, meta);
            }
        } else {
            dropPassed(task);
        }
    }

    /**
     * In order: lets go of the chunks whose positions are all released. Chunks of Merge jobs that were adopted and are over may be
     * missing between them, after a restore.
     */
    private void dropPassed(TaskEntry task) {
        passAdopted(task);
        ChunkMeta first = task.chunks.first();
        while (first != null && first.end() <= task.p.cursor) {
            lane.reading.chunkDone(task, first);
            first = task.chunks.first();
        }
    }

    private void again(TaskEntry task, LiveJob job) {
        JobRecord r = job.r;
        r.attempt++;
        r.pilot = null;
        r.order = JobRecord.Order.NONE;
        r.resends = 0;
        job.groups = task.backlog.groups();
        task.p.cooling--;
        task.p.chunkRetries++;
        lane.writes.changed(task);
        lane.rows.taskSoon(task);
        send(job);
    }

    private void send(LiveJob job) {
        JobRecord r = job.r;
        r.phase = Phase.QUEUED;
        r.queuedAt = lane.now;
        r.startedAt = 0;
        r.rank = job.task.p.rank;
        job.task.p.queued++;
        job.pool.queued++;
        lane.flights.armQueued(job);
        job.firstSentAt = lane.now;
        emit(job);
        lane.rows.job(job, JobStatus.QUEUED);
        lane.rows.taskSoon(job.task);
    }

    /** Sends the job's message, for the first time or again. */
    void emit(LiveJob job) {
        job.pool.jobsOut++;
        job.sentAt = lane.now;
        lane.writes.changed(job);
        lane.effects.job(job.pool.name, message(job));
    }

    private Job message(LiveJob job) {
        JobRecord r = job.r;
        TaskEntry task = job.task;
        Task spec = task.spec();
        boolean merge = spec.mode() == Mode.MERGE;
        String base = base(task.outputDirectory(), r);
        return new Job(
                r.uid,
                spec.executable(),
                spec.args(),
                r.rank,
                spec.deviceType(),
                spec.mode(),
                r.taskUid,
                task.p.jobs == Progress.UNKNOWN ? null : Long.valueOf(task.p.jobs),
                merge ? null : r.inputUrl,
                merge ? inputs(task, r.position) : List.of(),
                merge ? null : r.inputSize,
                merge ? null : r.inputChecksum,
                base.concat(".out"),
                base.concat(".log"),
                r.attempt,
                new Route(lane.number, r.position, r.taskUid).encoded(),
                (int) Math.max(1, lane.options.pilots().lease().toSeconds()),
                spec.timeoutS() == null
                        ? (int) lane.options.attempts().jobTimeout().toSeconds()
                        : spec.timeoutS());
    }

    private List<String> inputs(TaskEntry task, long position) {
        Chunk chunk = lane.writes.get(Tables.CHUNK, Tables.key(task.p.uid, position));
        List<String> urls = new ArrayList<>(chunk.count());
        for (int i = 0; i < chunk.count(); i++) {
            urls.add(chunk.get(i).url());
        }
        return urls;
    }

    /** Where an attempt's output and log go, without their endings: {@code directory/job uid/stem of the input.position.attempt}. */
    private static String base(String directory, JobRecord r) {
        String url = r.inputUrl;
        int from = url.lastIndexOf('/') + 1;
        int dot = url.lastIndexOf('.');
        int to = Texts.endWithin(url, from, dot > from ? dot : url.length(), LONGEST_STEM);
        return new StringBuilder(directory.length() + r.uid.length() + to - from + 24)
                .append(directory)
                .append('/')
                .append(r.uid)
                .append('/')
                .append(url, from, to)
                .append('.')
                .append(r.position)
                .append('.')
                .append(r.attempt)
                .toString();
    }

    /** Files to a chunk of the task at its present weight. */
    int chunkFiles(TaskEntry task) {
        Integer own = task.spec().chunkFiles();
        long base = own == null ? lane.options.reading().chunkFiles() : own;
        long grown = base + base * (task.weight() - 1) / (Limits.MAX_WEIGHT - 1);
        return (int) Math.min(dev.weir.protocol.PageRequest.MAX_LIMIT, Math.max(grown, CHUNK_GROWTH * task.weight()));
    }

    private void endChunk(TaskEntry task) {
        Progress p = task.p;
        RankOptions options = lane.options.rank();
        // Below 0 after a restart, when the clock was ahead before.
        double age = Math.max(
                0,
                Math.min(
                        1,
                        (lane.now - p.lastReleasedAt)
                                / (double) options.horizon().toMillis()));
        double retryShare = p.chunkRetries / (double) Math.max(1, p.chunkRetries + p.chunkReleased);
        rankIs(task, nextRank(task, age, retryShare));
        p.chunkReleased = 0;
        p.chunkRetries = 0;
        p.chunkLeft = chunkFiles(task);
    }

    /** A ranker may be somebody else's: where it fails its task keeps its rank, and no other task notices. */
    private double nextRank(TaskEntry task, double age, double retryShare) {
        Progress p = task.p;
        Ranker ranker = lane.intake.ranker(task);
        try {
            double next = ranker.next(p.base, p.rank, age, retryShare, lane.options.rank());
            if (Double.isFinite(next)) {
                return Math.max(Limits.MIN_RANK, Math.min(Limits.MAX_RANK, next));
            }
        } catch (RuntimeException e) {
            // Thrown on, it would stop the event that ended the chunk, and again whenever that is repeated.
        }
        lane.counters.ignored("rank");
        return p.rank;
    }

    void rankIs(TaskEntry task, double rank) {
        double old = task.p.rank;
        task.p.rank = rank;
        task.weigh(rank, Rankers.weight(rank));
        task.pool.policy.changed(task);
        lane.writes.changed(task);
        if (old != rank) {
            lane.rows.taskSoon(task);
        }
    }
}
