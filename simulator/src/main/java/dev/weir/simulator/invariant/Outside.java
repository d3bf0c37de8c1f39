package dev.weir.simulator.invariant;

import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.Command;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobCounts;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.JobStatus;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.Mode;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.scenario.TaskPlan;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What has left Weir and can't be taken back by any restore: what DSM, WFMS and the readers of the mirror were told. */
public final class Outside {

    private static final class Dataset {
        final Map<String, Registration> byId = new HashMap<>();
        final Set<String> paths = new TreeSet<>();
        final Map<String, Integer> outputs = new HashMap<>();
        /** Jobs with an output of an attempt that finished. */
        final Set<String> finished = new HashSet<>();

        final Map<Integer, Registration.Close> parts = new TreeMap<>();
        boolean closed;
    }

    private final Scenario scenario;
    private final Map<String, TaskPlan> plans = new TreeMap<>();
    private final Map<String, Dataset> datasets = new HashMap<>();
    private final Map<String, TaskEvent> ends = new HashMap<>();
    private final Map<String, Row> mirror = new HashMap<>();
    private final Map<String, String> uids = new HashMap<>();
    private final Set<String> made = new HashSet<>();
    private final Map<String, Set<String>> retryCommands = new HashMap<>();
    /** Outputs of attempts that finished, the objects themselves. */
    private final Set<Registration> accepted = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Promises promises;
    private long jobsEnded;

    public Outside(Scenario scenario) {
        this.scenario = scenario;
        promises = new Promises(scenario);
        scenario.tasks().forEach(plan -> plans.put(plan.task().uid(), plan));
    }

    TaskPlan plan(String taskUid) {
        return plans.get(taskUid);
    }

    public Promises promises() {
        return promises;
    }

    boolean hasEnded(String taskUid) {
        return ends.containsKey(taskUid);
    }

    /** A pilot has uploaded an output or a log; null for none. */
    public void made(String url) {
        made.add(url);
    }

    /** The output of an attempt that finished, to be registered when its checkpoint is complete. */
    void accepted(Registration.File output) {
        accepted.add(output);
    }

    /** WFMS has asked to try the failed jobs of a task again. */
    void retryAsked(Command.TaskAction command) {
        retryCommands.computeIfAbsent(command.taskUid(), uid -> new HashSet<>()).add(command.id());
    }

    /** The uid of a position never changes, whatever is forgotten and made again. */
    void identified(String task, long position, String uid) {
        String place = task + "#" + position;
        String before = uids.putIfAbsent(place, uid);
        String other = uids.putIfAbsent(uid, place);
        Violation.check(
                (before == null || before.equals(uid)) && (other == null || other.equals(place)),
                "each position of a task has one job uid",
                place,
                "has",
                before,
                "and",
                uid,
                "which is of",
                other);
    }

    public void register(Registration registration) {
        Dataset dataset = datasets.computeIfAbsent(registration.datasetUid(), uid -> new Dataset());
        Registration before = dataset.byId.putIfAbsent(registration.id(), registration);
        if (before != null) {
            Violation.check(before.equals(registration), "registrations are unique", before, "and", registration);
            return;
        }
        Violation.check(!dataset.closed, "nothing is registered after the close", registration);
        if (registration instanceof Registration.File file) {
            belongs(dataset, file.datasetUid(), file.jobUid(), file.path());
            outputs(dataset, file);
        } else if (registration instanceof Registration.Log log) {
            belongs(dataset, log.datasetUid(), log.jobUid(), log.path());
        } else if (registration instanceof Registration.Close close) {
            Violation.check(
                    dataset.parts.putIfAbsent(close.part(), close) == null && dataset.parts.size() <= close.parts(),
                    "a dataset closes exactly once",
                    close);
            dataset.closed = dataset.parts.size() == close.parts();
            if (dataset.closed) {
                checkList(dataset, close.datasetUid());
            }
        }
    }

    /**
     * One output of an attempt that finished, and beside it of those that failed. A restore may forget why one failed, so that the job fails for
     * good and then finishes with an attempt of a forgotten time.
     */
    private void outputs(Dataset dataset, Registration.File file) {
        String uid = file.jobUid();
        Violation.check(
                !accepted.contains(file) || dataset.finished.add(uid), "a job has at most one accepted output", file);
        int most = 1 + retryCommands.getOrDefault(taskOf(uid), Set.of()).size();
        Violation.check(
                dataset.outputs.merge(uid, 1, Integer::sum) <= most || scenario.has(Fault.RESTORE),
                "a job has one output, and one more for each retry_failed of its task",
                file);
    }

    private String taskOf(String jobUid) {
        String place = uids.get(jobUid);
        return place == null ? null : place.substring(0, place.indexOf('#'));
    }

    private void belongs(Dataset dataset, String datasetUid, String jobUid, String path) {
        TaskPlan plan = plans.get(taskOf(jobUid));
        Violation.check(
                plan != null && plan.task().datOutUid().equals(datasetUid),
                "a file is registered in the dataset of its task",
                path,
                "of",
                jobUid,
                "in",
                datasetUid);
        Violation.check(dataset.paths.add(path), "registrations are unique", path, "is registered twice");
        String storage = plan.task().datStorUrl();
        Violation.check(
                made.contains(storage + "/" + path), "only files that a pilot made are registered", path, "of", jobUid);
    }

    private static void checkList(Dataset dataset, String uid) {
        Set<String> listed = new TreeSet<>();
        int entries = 0;
        for (Registration.Close part : dataset.parts.values()) {
            listed.addAll(part.checkList());
            entries += part.checkList().size();
        }
        Set<String> names = new TreeSet<>();
        dataset.paths.forEach(path -> names.add(path.substring(path.lastIndexOf('/') + 1)));
        Violation.check(
                listed.equals(names) && entries == dataset.paths.size(),
                "the check-list is what was registered",
                uid,
                "lists",
                listed,
                "and has",
                dataset.paths);
    }

    public void announced(TaskEvent event) {
        TaskEvent end = ends.get(event.taskUid());
        Violation.check(
                !event.state().isTerminal() || end == null || end.equals(event),
                "a task ends once",
                event.taskUid(),
                "ended as",
                end,
                "and as",
                event);
        if (event.state().isTerminal()) {
            isClosed(event);
            ends.put(event.taskUid(), event);
        }
    }

    /** Registrations and final events leave by one way, in order: DSM has been told the whole close when WFMS hears of the end. */
    private void isClosed(TaskEvent end) {
        if (end.state() == TaskState.REJECTED) {
            return;
        }
        Dataset dataset = datasets.get(plans.get(end.taskUid()).task().datOutUid());
        Violation.check(
                dataset != null && dataset.closed,
                "a dataset closes before its task ends",
                end,
                "but of its check-list only these parts have left:",
                dataset == null ? Set.of() : dataset.parts.keySet());
    }

    public void shown(Row row) {
        Row before = mirror.put(key(row), row);
        // Each lane shows what it has seen of a pilot, and the newest row stays.
        boolean ofAllLanes = row instanceof PilotRow && scenario.options().lanes() > 1;
        // What it has shown at a wrong time a core does not know that is restored to before then.
        boolean ofWrongTime = scenario.has(Fault.CLOCK_STEP) && scenario.has(Fault.RESTORE);
        Violation.check(
                before == null || ofAllLanes || ofWrongTime || row.version() > before.version(),
                "versions of mirror rows grow",
                before,
                "was followed by",
                row);
        if (row instanceof JobRow job) {
            jobsEnded += job.status().isTerminal() ? 1 : 0;
            promises.shown(job);
        }
    }

    private static String key(Row row) {
        if (row instanceof TaskRow task) {
            return "task " + task.uid();
        } else if (row instanceof JobRow job) {
            return "job " + job.uid();
        } else if (row instanceof FileRow file) {
            return "file " + file.id();
        } else if (row instanceof AttemptRow attempt) {
            return "attempt " + attempt.attempt() + " of " + attempt.jobUid();
        } else if (row instanceof LimitRow limit) {
            return "limit " + limit.lane() + "/" + limit.group();
        } else if (row instanceof CommandRow command) {
            return "command " + command.id();
        }
        return "pilot " + ((PilotRow) row).pilotId();
    }

    /** Rows so far that show the end of a job. */
    public long jobsEnded() {
        return jobsEnded;
    }

    /** Whether every task that was sent has ended, as WFMS knows it. */
    public boolean isComplete() {
        return ends.size() == plans.size();
    }

    /** The tasks that have not ended. */
    public Set<String> open() {
        Set<String> open = new TreeSet<>(plans.keySet());
        open.removeAll(ends.keySet());
        return open;
    }

    /** Everything has come to rest: nothing is lost, and the mirror shows the end of every task. */
    public void finish() {
        promises.finish(ends);
        Map<String, Map<JobStatus, Long>> shown = new HashMap<>();
        for (Row row : mirror.values()) {
            if (row instanceof JobRow job) {
                shown.computeIfAbsent(job.taskUid(), uid -> new EnumMap<>(JobStatus.class))
                        .merge(job.status(), 1L, Long::sum);
                isRegistered(job);
            }
        }
        ends.forEach((uid, end) -> {
            Violation.check(
                    mirror.get("task " + uid) instanceof TaskRow row && row.state() == end.state(),
                    "the mirror shows the end of every task",
                    mirror.get("task " + uid),
                    "but",
                    end);
            if (end.state() == TaskState.CLOSED) {
                closed(plans.get(uid), end.counts(), end.reason() != null, shown.getOrDefault(uid, Map.of()));
            }
        });
    }

    /** What the last row of a finished job names is in the catalogue. */
    private void isRegistered(JobRow job) {
        TaskEvent end = ends.get(job.taskUid());
        // A core does not know what was shown in a forgotten time of jobs that are cancelled now.
        boolean mayBeForgotten = end.reason() != null && scenario.has(Fault.RESTORE);
        if (job.status() != JobStatus.FINISHED || mayBeForgotten) {
            return;
        }
        Task task = plans.get(job.taskUid()).task();
        Dataset dataset = datasets.getOrDefault(task.datOutUid(), new Dataset());
        for (String url : new String[] {job.fileOutUrl(), job.fileLogUrl()}) {
            Violation.check(
                    url == null
                            || dataset.paths.contains(
                                    url.substring(task.datStorUrl().length() + 1)),
                    "what a finished job has made is registered",
                    url,
                    "of",
                    job);
        }
    }

    private void closed(TaskPlan plan, JobCounts counts, boolean stopped, Map<JobStatus, Long> shown) {
        long over = counts.finished() + counts.failed() + counts.killed() + counts.cancelled();
        Violation.check(
                counts.total() != null && counts.total() == over,
                "every file of a closed task has one outcome",
                plan.task().uid(),
                counts);
        Violation.check(
                stopped ? over <= jobs(plan) || !plan.dataset().isReadable() : over == jobs(plan),
                "every file of a closed task has one outcome",
                plan.task().uid(),
                counts,
                "of",
                jobs(plan));
        // A core does not know what was shown in a forgotten time of jobs that are cancelled now.
        if (!stopped || !scenario.has(Fault.RESTORE)) {
            boolean same = counts.finished() == shown.getOrDefault(JobStatus.FINISHED, 0L)
                    && counts.failed() == shown.getOrDefault(JobStatus.FAILED, 0L)
                    && counts.killed() == shown.getOrDefault(JobStatus.KILLED, 0L);
            boolean open = shown.keySet().stream().anyMatch(status -> !status.isTerminal());
            Violation.check(
                    same && !open,
                    "the mirror shows the end of every job",
                    plan.task().uid(),
                    counts,
                    "but",
                    shown);
        }
    }

    private static long jobs(TaskPlan plan) {
        int files = plan.dataset().files().size();
        Integer most = plan.task().filesPerJob();
        int perJob =
                plan.task().mode() == Mode.MAP ? 1 : most == null ? dev.weir.protocol.Limits.MAX_FILES_PER_JOB : most;
        return (files + perJob - 1L) / perJob;
    }
}
