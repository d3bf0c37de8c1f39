package dev.weir.scheduler.job;

import dev.weir.protocol.Limits;
import dev.weir.protocol.PageRequest;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.model.OpenTask;
import dev.weir.scheduler.options.RankOptions;
import dev.weir.scheduler.rank.Ranker;
import dev.weir.scheduler.rank.Rankers;
import dev.weir.scheduler.state.Progress;

/** The rank of a task evolves at the end of each of its chunks; its weight and the size of its chunks follow from it. */
public final class TaskRank {

    private static final int LEAST_CHUNK_OF_WEIGHT = 4;

    private final Lane lane;

    public TaskRank(Lane lane) {
        this.lane = lane;
    }

    /** Files to a chunk of the task at its present weight. */
    public int chunkFiles(OpenTask task) {
        Integer own = task.spec().chunkFiles();
        long base = own == null ? lane.options.reading().chunkFiles() : own;
        long grown = base + base * (task.weight() - 1) / (Limits.MAX_WEIGHT - 1);
        return (int) Math.min(PageRequest.MAX_LIMIT, Math.max(grown, LEAST_CHUNK_OF_WEIGHT * task.weight()));
    }

    /** A file was released for the first time, after the task had released its last one at a time. */
    void released(OpenTask task, long lastReleasedAt) {
        Progress p = task.progress;
        p.chunkReleased++;
        p.chunkLeft--;
        if (p.chunkLeft <= 0 || p.listed && p.released == p.jobs) {
            double horizon = lane.options.rank().horizon().toMillis();
            // Below 0 after a restart, when the clock was ahead before.
            double age = Math.max(0, Math.min(1, (lane.now() - lastReleasedAt) / horizon));
            double retryShare = p.chunkRetries / (double) Math.max(1, p.chunkRetries + p.chunkReleased);
            change(task, next(task, age, retryShare));
            p.chunkReleased = 0;
            p.chunkRetries = 0;
            p.chunkLeft = chunkFiles(task);
        }
    }

    /** A ranker may be a plug-in: where it fails its task keeps its rank, and no other task notices. */
    private double next(OpenTask task, double age, double retryShare) {
        Progress p = task.progress;
        try {
            double next = ranker(task).next(p.base, p.rank, age, retryShare, lane.options.rank());
            if (Double.isFinite(next)) {
                return Math.max(Limits.MIN_RANK, Math.min(Limits.MAX_RANK, next));
            }
        } catch (RuntimeException | StackOverflowError e) {
            // Thrown on, it would stop the event that ended the chunk, and again whenever that is repeated.
        }
        lane.counters.ignored("rank");
        return p.rank;
    }

    private Ranker ranker(OpenTask task) {
        String name = task.spec().ranker();
        Ranker ranker = Rankers.named(name == null ? lane.options.rank().ranker() : name);
        // A ranker that has gone since the task was accepted must not stop the task.
        return ranker == null ? Rankers.named(RankOptions.FIXED) : ranker;
    }

    /** Gives the task another rank. */
    public void change(OpenTask task, double rank) {
        task.progress.rank = rank;
        task.weigh(rank, Rankers.weight(rank));
        task.pool.policy.changed(task);
        lane.changed(task);
    }
}
