package dev.weir.chaos.judge;

import dev.weir.protocol.JobCounts;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares what came of a task with what must: closed once, not before every file had its outcome; every file exactly one outcome; all of
 * it at DSM and in the mirror; and no attempt of a living pilot lost.
 */
public final class Judge {

    private final ExpectedTask expected;
    private final SeenTask seen;
    private final List<Violation> found = new ArrayList<>();

    private Judge(ExpectedTask expected, SeenTask seen) {
        this.expected = expected;
        this.seen = seen;
    }

    /** All violations of one task that is over. */
    public static List<Violation> judge(ExpectedTask expected, SeenTask seen) {
        Judge judge = new Judge(expected, seen);
        judge.closes();
        judge.files();
        judge.dataset();
        judge.leases();
        return List.copyOf(judge.found);
    }

    private void closes() {
        List<TaskEvent> ends = seen.events().stream()
                .filter(event -> event.state().isTerminal())
                .toList();
        if (ends.isEmpty()) {
            violation("not closed", null, "no final event");
        }
        if (ends.size() > 1) {
            violation(
                    "closed twice",
                    null,
                    "final events " + ends.stream().map(TaskEvent::id).toList());
        }
        for (TaskEvent end : ends) {
            JobCounts counts = end.counts();
            if (end.state() != TaskState.CLOSED) {
                violation("not closed", null, end.state().wireName() + ": " + end.reason());
            } else if (counts.finished() + counts.failed() != expected.files()) {
                violation(
                        "closed early",
                        null,
                        counts.finished() + " finished and " + counts.failed() + " failed jobs of " + expected.files()
                                + " files when it was closed");
            }
        }
    }

    private void files() {
        Map<String, String> fileOf = new HashMap<>();
        Map<String, List<String>> outcomes = new HashMap<>();
        for (SeenTask.Job job : seen.jobs()) {
            fileOf.put(job.uid(), job.file());
            if (!job.status().equals("Finished")) {
                outcomes.computeIfAbsent(job.file(), file -> new ArrayList<>()).add(job.status());
            }
        }
        for (SeenTask.Output output : seen.outputs()) {
            String file = fileOf.get(output.jobUid());
            if (file == null) {
                violation("unknown output", null, output.path() + " of job " + output.jobUid());
            } else {
                outcomes.computeIfAbsent(file, it -> new ArrayList<>()).add("output " + output.path());
            }
        }
        for (String file : expected.good()) {
            file(file, outcomes.getOrDefault(file, List.of()), "output ");
        }
        for (String file : expected.bad()) {
            file(file, outcomes.getOrDefault(file, List.of()), "Failed");
        }
        Set<String> strangers = new TreeSet<>(fileOf.values());
        strangers.removeAll(expected.good());
        strangers.removeAll(expected.bad());
        strangers.forEach(file -> violation("unknown file", file, "not in the dataset of the task"));
        mirror(fileOf);
    }

    private void file(String file, List<String> outcomes, String right) {
        if (outcomes.isEmpty()) {
            violation("lost", file, "no outcome");
        } else if (outcomes.size() > 1) {
            violation("two outcomes", file, outcomes.toString());
        } else if (!outcomes.get(0).startsWith(right)) {
            violation("wrong outcome", file, outcomes.get(0) + " instead of " + right.strip());
        }
    }

    private void mirror(Map<String, String> fileOf) {
        if (fileOf.size() != expected.files()) {
            violation("mirror", null, fileOf.size() + " jobs in the mirror, but " + expected.files() + " files");
        }
        for (SeenTask.Job job : seen.jobs()) {
            if (!job.status().equals("Finished") && !job.status().equals("Failed")) {
                violation("mirror", job.file(), "status " + job.status() + " after the end of the task");
            }
        }
    }

    private void dataset() {
        SeenTask.Dataset dataset = seen.dataset();
        if (dataset == null) {
            violation("dataset", null, "DSM does not know " + expected.uid() + ".out");
        } else if (!dataset.state().equals("closed")
                || !Long.valueOf(0).equals(dataset.missing())
                || !Long.valueOf(0).equals(dataset.unexpected())) {
            violation("dataset", null, "at DSM it is " + dataset);
        }
    }

    private void leases() {
        for (SeenTask.Job job : seen.jobs()) {
            if (expected.livingPilots() && job.systemRetries() > 0) {
                violation(
                        "lease",
                        job.file(),
                        "attempt " + job.attempt() + " after " + job.systemRetries()
                                + " lost ones, though its pilots lived all the time; last error: " + job.error());
            }
        }
    }

    private void violation(String rule, String file, String text) {
        found.add(new Violation(rule, expected.uid(), file, text));
    }
}
