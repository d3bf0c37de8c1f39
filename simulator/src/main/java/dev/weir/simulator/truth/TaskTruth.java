package dev.weir.simulator.truth;

import dev.weir.protocol.JobStatus;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.simulator.scenario.DatasetPlan;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must be true of one accepted task. */
final class TaskTruth {

    /** Whether it has a place among the active tasks of its pool. */
    enum Place {
        NONE,
        /** It waited for one, and nothing tells when it has it. */
        PERHAPS,
        SURE
    }

    /** Files to a Merge job when the task does not say. */
    private static final int MOST_FILES_PER_JOB = 10_000;

    final Task task;
    final DatasetPlan dataset;
    final String pool;
    final int filesPerJob;
    final JobTruth[] jobs;
    final int[] counts = new int[JobStatus.values().length];
    /** Whether nothing limits its files and it is a Map task: the cases in which it is plain what may be released. */
    final boolean simple;

    /** Names of registered outputs and logs, and the job and attempt that each belongs to. */
    private Map<String, String> registered;
    /** A copy of this task has the same map: whoever writes takes one of its own. */
    private boolean registeredIsShared;

    /**
     * @param all the different sets of groups that the files of a dataset are in
     * @param of by position, which
     */
    private record GroupSets(List<List<String>> all, int[] of) {

        static GroupSets of(DatasetPlan dataset) {
            List<List<String>> all = dataset.groups().stream().distinct().toList();
            return new GroupSets(
                    all, dataset.groups().stream().mapToInt(all::indexOf).toArray());
        }
    }

    private final GroupSets groupSets;
    /** As {@link #fresh}, by set of groups. */
    final int[] freshIn;

    int readFiles;
    /** Read, never released, not cancelled. */
    int fresh;

    /** Files of the dataset as DSM told first; -1 before. */
    long toldTotal = -1;

    double baseRank;
    /** The highest that was ever given. */
    double highestRank;

    long rankAt = Long.MIN_VALUE;
    boolean paused;
    long pausedAt = Long.MIN_VALUE;
    boolean cancelled;
    boolean closing;
    /** Something is wrong with its dataset and the core was told: it must fail. */
    boolean broken;

    /** When it was accepted, in milliseconds since 1970, and as which task of its lane. */
    final long acceptedAt;

    final int arrival;
    /** Since when it has not been paused, in milliseconds since 1970. */
    long waitsSince;

    Place place = Place.NONE;
    /** DSM has not answered its last request, or with a failure. */
    boolean waitsForDsm;
    /** It had a place before it waited for DSM. */
    boolean comesBack;

    TaskState terminal;
    int closeParts;
    /** Never changed, only replaced. */
    List<String> checkList = List.of();
    /** The position of the file released last, in sequential order. */
    int lastFresh = -1;

    TaskTruth(Task task, DatasetPlan dataset, long acceptedAt, int arrival) {
        this(task, dataset, acceptedAt, arrival, new HashMap<>(), GroupSets.of(dataset));
        waitsSince = acceptedAt;
        readFiles = task.targets().isEmpty() ? 0 : dataset.files().size();
        fresh = task.targets().isEmpty() ? 0 : jobs.length;
        counts[JobStatus.WAITING.ordinal()] = jobs.length;
        for (int i = 0; i < jobs.length; i++) {
            jobs[i] = new JobTruth(this, i);
            jobs[i].readAt = acceptedAt;
            freshIn[groupSetOf(jobs[i])] += task.targets().isEmpty() ? 0 : 1;
        }
        baseRank = task.rank();
        highestRank = baseRank;
    }

    private TaskTruth(
            Task task,
            DatasetPlan dataset,
            long acceptedAt,
            int arrival,
            Map<String, String> registered,
            GroupSets groupSets) {
        this.task = task;
        this.dataset = dataset;
        this.acceptedAt = acceptedAt;
        this.arrival = arrival;
        this.registered = registered;
        pool = task.poolName();
        boolean merge = task.mode() == Mode.MERGE;
        filesPerJob = merge ? task.filesPerJob() == null ? MOST_FILES_PER_JOB : task.filesPerJob() : 1;
        int files = dataset.quirk() == DatasetPlan.Quirk.MISSING
                ? 0
                : dataset.files().size();
        jobs = new JobTruth[(files + filesPerJob - 1) / filesPerJob];
        this.groupSets = groupSets;
        freshIn = new int[Math.max(1, groupSets.all().size())];
        simple = !merge && dataset.groups().stream().allMatch(List::isEmpty);
    }

    TaskTruth copy() {
        TaskTruth copy = new TaskTruth(task, dataset, acceptedAt, arrival, registered, groupSets);
        copy.lastFresh = lastFresh;
        copy.waitsSince = waitsSince;
        copy.place = place;
        copy.waitsForDsm = waitsForDsm;
        copy.comesBack = comesBack;
        registeredIsShared = true;
        copy.registeredIsShared = true;
        for (int i = 0; i < jobs.length; i++) {
            copy.jobs[i] = jobs[i].copy(copy);
        }
        System.arraycopy(counts, 0, copy.counts, 0, counts.length);
        copy.readFiles = readFiles;
        copy.fresh = fresh;
        System.arraycopy(freshIn, 0, copy.freshIn, 0, freshIn.length);
        copy.toldTotal = toldTotal;
        copy.baseRank = baseRank;
        copy.highestRank = highestRank;
        copy.rankAt = rankAt;
        copy.paused = paused;
        copy.pausedAt = pausedAt;
        copy.cancelled = cancelled;
        copy.closing = closing;
        copy.broken = broken;
        copy.terminal = terminal;
        copy.closeParts = closeParts;
        copy.checkList = checkList;
        return copy;
    }

    /** By path; not to be changed. */
    Map<String, String> registered() {
        return Collections.unmodifiableMap(registered);
    }

    /** Returns what was registered under this path before; null for nothing. */
    String register(String path, String what) {
        if (registeredIsShared) {
            registered = new HashMap<>(registered);
            registeredIsShared = false;
        }
        return registered.put(path, what);
    }

    int count(int set) {
        int sum = 0;
        for (int i = 0; i < counts.length; i++) {
            if ((set & 1 << i) != 0) {
                sum += counts[i];
            }
        }
        return sum;
    }

    boolean isRead(JobTruth job) {
        return Math.min((job.position + 1L) * filesPerJob, dataset.files().size()) <= readFiles;
    }

    /** Whether every file of it may still be released. */
    boolean isRunning() {
        return terminal == null && !paused && !cancelled && !closing && !broken;
    }

    /** 0 for Merge jobs, which are all in the same groups. */
    int groupSetOf(JobTruth job) {
        return task.mode() == Mode.MERGE ? 0 : groupSets.of()[job.position];
    }

    /** The groups of some fresh file of a set; null when there is none. */
    List<String> groupsOfFresh(int set) {
        return freshIn[set] == 0
                ? null
                : task.mode() == Mode.MERGE ? task.groups() : groupSets.all().get(set);
    }

    /** Whether it starts nothing any more. */
    boolean isStopped() {
        return terminal != null || cancelled || closing || broken;
    }

    /** Whether its first page is here. */
    boolean isLoaded() {
        return toldTotal >= 0 || !task.targets().isEmpty();
    }

    boolean isAllReleased() {
        return isLoaded() && fresh == 0 && isWhollyRead();
    }

    /** Of a dataset that is smaller than DSM said the core waits for more. */
    boolean isWhollyRead() {
        return readFiles >= Math.max(dataset.files().size(), toldTotal);
    }

    /** Whether a fresh file is there and nothing but the window can hold it back. */
    boolean hasFreshReady() {
        return simple
                && fresh > 0
                && isRunning()
                && (isWhollyRead()
                        || task.order() == Order.SEQUENTIAL && task.targets().isEmpty());
    }

    int priority(JobTruth job) {
        if (task.order() != Order.PRIORITY) {
            return 0;
        }
        if (job.givenPriority > 0) {
            return job.givenPriority;
        }
        Integer priority = dataset.files().get(job.position).priority();
        return priority == null ? -1 : priority;
    }

    /** The same by now: who has waited too long since its page or a command about it came has fallen, and none rises by that. */
    int priority(JobTruth job, int demoteTo, long now) {
        int own = priority(job);
        long since = Math.max(job.readAt, job.priorityGivenAt);
        boolean tooLong = task.demoteAfterS() != null && now - since >= task.demoteAfterS() * 1_000L;
        return own >= 0 && tooLong ? Math.max(own, demoteTo) : own;
    }

    @Override
    public String toString() {
        return "task " + task.uid() + " (" + Counts.of(this) + ", place " + place + ")";
    }
}
