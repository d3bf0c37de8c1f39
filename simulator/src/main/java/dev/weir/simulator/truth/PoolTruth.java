package dev.weir.simulator.truth;

import dev.weir.scheduler.options.PoolOptions;
import java.util.ArrayList;
import java.util.List;

/** What must be true of one pool. */
final class PoolTruth {

    final String name;
    final PoolOptions options;
    /** Jobs that are out: queued, starting or running. */
    int out;

    /** Nothing fresh is released. */
    boolean paused;
    /** Paused, but what was begun is tried again. */
    boolean draining;

    long pausedAt = Long.MIN_VALUE;
    /** Whether DSM did not give what was asked for last, of a task of this pool: then those that it keeps waiting keep no others. */
    boolean dsmIsSilent;
    /** Jobs that were over while queued, which keep their places. */
    final List<JobTruth> ghosts = new ArrayList<>();

    PoolTruth(String name, PoolOptions options) {
        this.name = name;
        this.options = options;
    }

    PoolTruth copy(List<JobTruth> copiedGhosts) {
        PoolTruth copy = new PoolTruth(name, options);
        copy.out = out;
        copy.paused = paused;
        copy.draining = draining;
        copy.pausedAt = pausedAt;
        copy.dsmIsSilent = dsmIsSilent;
        copy.ghosts.addAll(copiedGhosts);
        return copy;
    }

    boolean hasFixedWindow() {
        return options.window() != PoolOptions.AUTO;
    }

    /** Places that are surely taken. */
    int places(long now, long queuedTimeoutMillis) {
        int sure = 0;
        for (JobTruth ghost : ghosts) {
            sure += ghost.ghostSince >= 0 && now - ghost.ghostSince < queuedTimeoutMillis ? 1 : 0;
        }
        return out + sure;
    }

    /** Places that may be taken: nobody has started the cancelled jobs, and how long they are waited for is not for us to say. */
    int placesAtMost() {
        ghosts.removeIf(job -> job.ghostSince < 0);
        return out + ghosts.size();
    }
}
