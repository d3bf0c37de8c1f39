package dev.weir.simulator.truth;

import dev.weir.protocol.FileRow;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskRow;
import dev.weir.protocol.TaskState;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.scenario.TaskPlan;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What has left Weir and can't be taken back by any restore: what DSM, WFMS and readers have been told. */
public final class Archive {

    private static final class Dataset {
        final Map<String, Registration> byId = new HashMap<>();
        final Map<String, String> byPath = new HashMap<>();
        final Map<String, String> outputOf = new HashMap<>();
        final Map<Integer, Registration.Close> parts = new HashMap<>();
        boolean closed;
    }

    private final Map<String, Dataset> datasets = new HashMap<>();
    private final Map<String, TaskEvent> ends = new HashMap<>();
    private final Map<String, Row> mirror = new HashMap<>();
    private final Map<String, String> uids = new HashMap<>();
    private final Set<String> produced = new HashSet<>();
    private final Set<String> retried = new HashSet<>();
    private final Set<String> expected = new TreeSet<>();

    /** Each lane tells of each pilot what it has seen of it, and the newest row stays. */
    private final int lanes;

    public Archive(Scenario scenario) {
        lanes = scenario.options().lanes();
        for (TaskPlan plan : scenario.tasks()) {
            expected.add(plan.task().uid());
        }
    }

    /** A pilot has uploaded an output. */
    public void produced(String url) {
        produced.add(url);
    }

    boolean wasProduced(String url) {
        return produced.contains(url);
    }

    /** A job that had failed was tried again by command: what it registered then stays beside what it makes now. */
    void retried(String uid) {
        retried.add(uid);
    }

    /** The uid of a position never changes, whatever is forgotten and made again. */
    void identified(String task, int position, String uid) {
        String key = task + "#" + position;
        String before = uids.putIfAbsent(key, uid);
        Violation.check(
                before == null || before.equals(uid),
                "a replay makes the same job uid",
                key,
                "was",
                before,
                "and is",
                uid);
        String place = uids.putIfAbsent(uid, key);
        Violation.check(place == null || place.equals(key), "job uids are unique", uid, "is", place, "and", key);
    }

    public void register(Registration registration) {
        Dataset dataset = datasets.computeIfAbsent(registration.datasetUid(), uid -> new Dataset());
        Registration before = dataset.byId.putIfAbsent(registration.id(), registration);
        if (before != null) {
            Violation.check(
                    before.equals(registration),
                    "registrations are unique",
                    "one id for two:",
                    before,
                    "and",
                    registration);
            return;
        }
        Violation.check(
                !dataset.closed,
                "a dataset closes once, after its last file",
                registration,
                "came after the dataset had closed");
        if (registration instanceof Registration.File file) {
            once(dataset, file.path(), file.id());
            String other = dataset.outputOf.putIfAbsent(file.jobUid(), file.path());
            Violation.check(
                    other == null || retried.contains(file.jobUid()),
                    "no two attempts of a job accepted",
                    file.jobUid(),
                    "registered",
                    other,
                    "and",
                    file.path());
        } else if (registration instanceof Registration.Log log) {
            once(dataset, log.path(), log.id());
        } else if (registration instanceof Registration.Close close) {
            Violation.check(
                    dataset.parts.putIfAbsent(close.part(), close) == null,
                    "a dataset closes once, after its last file",
                    "part",
                    close.part(),
                    "of",
                    close.datasetUid(),
                    "came twice");
            if (dataset.parts.size() == close.parts()) {
                close(dataset, close.datasetUid());
            }
        }
    }

    private static void once(Dataset dataset, String path, String id) {
        String other = dataset.byPath.putIfAbsent(path, id);
        Violation.check(other == null, "registrations are unique", path, "is registered as", other, "and as", id);
    }

    private static void close(Dataset dataset, String uid) {
        dataset.closed = true;
        Set<String> names = new TreeSet<>();
        dataset.parts.values().forEach(part -> names.addAll(part.checkList()));
        int listed = dataset.parts.values().stream()
                .mapToInt(part -> part.checkList().size())
                .sum();
        Set<String> paths = new TreeSet<>();
        dataset.byPath.keySet().forEach(path -> paths.add(path.substring(path.lastIndexOf('/') + 1)));
        Set<String> listedNames = new TreeSet<>();
        names.forEach(name -> listedNames.add(name.substring(name.lastIndexOf('/') + 1)));
        Violation.check(
                listedNames.equals(paths) && listed == dataset.byPath.size(),
                "a dataset closes with exactly the check-list of registered outputs and logs",
                uid,
                "was closed with",
                names,
                "and has",
                dataset.byPath.keySet());
    }

    public void told(TaskEvent event) {
        TaskEvent end = ends.get(event.taskUid());
        if (event.state().isTerminal()) {
            Violation.check(
                    end == null || end.equals(event),
                    "a task ends once",
                    event.taskUid(),
                    "ended as",
                    end,
                    "and as",
                    event);
            ends.put(event.taskUid(), event);
        }
    }

    public void mirrored(Row row) {
        String key = key(row);
        Row before = mirror.put(key, row);
        Violation.check(
                before == null || row.version() > before.version() || lanes > 1 && row instanceof PilotRow,
                "a newer row has a larger version",
                key,
                "had",
                before,
                "and got",
                row);
    }

    private static String key(Row row) {
        if (row instanceof TaskRow task) {
            return "task " + task.uid();
        }
        if (row instanceof JobRow job) {
            return "job " + job.uid();
        }
        if (row instanceof FileRow file) {
            return "file " + file.id();
        }
        return "pilot " + ((PilotRow) row).pilotId();
    }

    /** Whether every task that was sent has come to its end, as WFMS knows it. */
    public boolean isComplete() {
        return ends.size() >= expected.size() && ends.keySet().containsAll(expected);
    }

    /** The tasks that have not. */
    public Set<String> open() {
        Set<String> open = new TreeSet<>(expected);
        open.removeAll(ends.keySet());
        return open;
    }

    /**
     * Everything has come to rest: the mirror must show the end of every job of a closed task. Not of those that were out in a time
     * that is forgotten and that nobody reported since: no core can know them.
     */
    public void finish(List<Ledger> ledgers) {
        for (Row row : mirror.values()) {
            if (row instanceof JobRow job && !job.deleted()) {
                Violation.check(
                        job.status().isTerminal()
                                || !closed(job.taskUid())
                                || ledgers.stream().noneMatch(ledger -> ledger.remembers(job.uid())),
                        "the mirror shows the end of every job",
                        job);
            }
            if (row instanceof TaskRow task && !task.deleted()) {
                TaskEvent end = ends.get(task.uid());
                Violation.check(
                        end == null || task.state().isTerminal(),
                        "the mirror shows the end of every task",
                        task,
                        "but",
                        end);
            }
        }
    }

    private boolean closed(String task) {
        TaskEvent end = ends.get(task);
        return end != null && end.state() == TaskState.CLOSED;
    }
}
