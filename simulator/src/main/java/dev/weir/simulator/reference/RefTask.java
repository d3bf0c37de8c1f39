package dev.weir.simulator.reference;

import dev.weir.protocol.ErrorType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Limits;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Result;
import dev.weir.protocol.Task;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.simulator.scenario.DatasetPlan;
import java.util.ArrayList;
import java.util.List;

/** One task of the reference. */
final class RefTask {

    /** How it ends before all its files were processed. */
    enum Stop {
        NONE,
        CANCEL,
        CLOSE
    }

    private static final int DEFAULT_PRIORITY = 3;

    final Task spec;
    final DatasetPlan dataset;
    final RefPool pool;
    final int arrival;
    final long acceptedAt;
    /** Of the files that have been read. */
    final List<RefJob> jobs = new ArrayList<>();

    /** Of them, by phase. */
    final int[] counts = new int[RefJob.Phase.values().length];

    final List<String> registered = new ArrayList<>();
    /** Parts of a long check-list that are still to be sent, sent at ticks. */
    int partsLeft;

    double base;
    double rank;
    long rankAt;
    long pauseAt;
    boolean paused;
    Stop stop = Stop.NONE;
    boolean ended;
    int read;
    /** Files of the dataset; -1 before the first page. */
    int total = -1;

    boolean pageAsked;
    /** DSM does not give the page that was asked for. */
    boolean pageMissing;

    /** Until when it stays open for failed jobs to be tried again; 0 while jobs are not over. */
    long keptUntil;

    boolean wasActive;
    boolean hasSlot;
    boolean waitsForSlot;
    /** Its first page was asked for before it had a slot, and has not come. */
    boolean readsAhead;

    double admissionKey;
    /** Whether the policy of its pool counts it among those that can give. */
    boolean ready;

    /** Failures in stage-in and stage-out since an attempt ended in another way; and at how many the next fresh file goes. */
    int stagingFailures;

    int probeFrom;
    final int storageAwayAfter;
    /** When an attempt was last known to have had its input; 0 before the first. */
    long storageWorkedAt;

    /** Attempts that have failed since one finished, and those of them that could not store their output. */
    int failures;

    int outputFailures;

    /** Of its failed and killed jobs: those that are over by the system's fault. */
    int failedBySystem;

    int chunkLeft;
    int chunkReleased;
    int chunkRetries;
    long lastReleasedAt;

    RefTask(Task spec, DatasetPlan dataset, RefPool pool, int arrival, int storageAwayAfter, long now) {
        this.spec = spec;
        this.dataset = dataset;
        this.pool = pool;
        this.arrival = arrival;
        this.storageAwayAfter = storageAwayAfter;
        acceptedAt = now;
        lastReleasedAt = now;
        base = spec.rank();
        rank = spec.rank();
    }

    private int filesPerJob() {
        int ofMerge = spec.filesPerJob() == null ? Limits.MAX_FILES_PER_JOB : spec.filesPerJob();
        return spec.mode() == Mode.MERGE ? ofMerge : 1;
    }

    /** What an attempt may take with all its transfers. */
    long longestMillis(AttemptOptions options) {
        long program = spec.timeoutS() == null ? options.jobTimeout().toMillis() : spec.timeoutS() * 1000L;
        return program + options.attemptSlack().toMillis() * Math.min(24, (filesPerJob() + 9) / 10);
    }

    /** Files come: each is a job, or every so many are one Merge job. */
    void reads(int files, long now) {
        read += files;
        boolean merge = spec.mode() == Mode.MERGE;
        int perJob = filesPerJob();
        int whole = read == total ? (read + perJob - 1) / perJob : read / perJob;
        for (int position = jobs.size(); position < whole; position++) {
            FileInfo file = dataset.files().get(position * perJob);
            int priority = file.priority() == null ? DEFAULT_PRIORITY : file.priority();
            List<String> groups = merge ? spec.groups() : dataset.groups().get(position);
            counts[RefJob.Phase.WAITING.ordinal()]++;
            jobs.add(new RefJob(this, position, merge ? 0 : priority, now, groups));
        }
    }

    boolean goesOn() {
        return !ended && !paused && stop == Stop.NONE;
    }

    int count(RefJob.Phase phase) {
        return counts[phase.ordinal()];
    }

    boolean hasFresh() {
        return count(RefJob.Phase.WAITING) > 0;
    }

    /** Places that it takes in the window of its pool. */
    int places() {
        return count(RefJob.Phase.QUEUED) + count(RefJob.Phase.STARTING) + count(RefJob.Phase.RUNNING);
    }

    boolean isOver() {
        int over = count(RefJob.Phase.FINISHED) + count(RefJob.Phase.FAILED) + count(RefJob.Phase.KILLED);
        return over + count(RefJob.Phase.CANCELLED) == jobs.size();
    }

    boolean isAllReleased() {
        return read == total && !hasFresh();
    }

    /** Whether it has no file to start: none is left, or DSM does not give the next ones. */
    boolean isUsedUp() {
        return isAllReleased() || pageAsked && pageMissing && !hasFresh();
    }

    /** An attempt has failed without an order to stop, unless it was overdue. */
    void failed(Result result, boolean overdue, long now) {
        failed(overdue ? ErrorType.TIMEOUT : result.errorType());
        if (!overdue && Causes.isStaging(result)) {
            stagingFailures++;
        } else if (!overdue && Causes.hasRead(result)) {
            inputWasRead();
            storageWorkedAt = now;
        }
    }

    void inputWasRead() {
        if (!outputsFail()) {
            storageWorks();
        }
    }

    void failed(ErrorType type) {
        failures++;
        outputFailures += type == ErrorType.STAGE_OUT ? 1 : 0;
    }

    void finished() {
        failures = 0;
        outputFailures = 0;
        storageWorks();
    }

    boolean outputsFail() {
        return outputFailures > failures / 2;
    }

    void storageWorks() {
        stagingFailures = 0;
        probeFrom = 0;
    }

    boolean isStorageAway() {
        return storageAwayAfter > 0 && stagingFailures >= storageAwayAfter;
    }

    /** Whether its fresh files may start. While its storage is away they do when no job is left to show when it is back, or as a probe. */
    boolean startsFresh() {
        boolean live = places() + count(RefJob.Phase.COOLING) + count(RefJob.Phase.DUE) > 0;
        boolean held = isStorageAway() && live && stagingFailures < probeFrom;
        return hasSlot && pool.use == RefPool.Use.NORMAL && !held;
    }

    /** Whether it may give a job as soon as there is room. */
    boolean canGive() {
        boolean fresh = startsFresh() && hasFresh();
        return goesOn() && (fresh || count(RefJob.Phase.DUE) > 0);
    }

    int weight() {
        return (int) Math.max(Limits.MIN_WEIGHT, Math.min(Limits.MAX_WEIGHT, Math.round(rank)));
    }

    @Override
    public String toString() {
        return spec.uid() + " of rank " + rank;
    }
}
