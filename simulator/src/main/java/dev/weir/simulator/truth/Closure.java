package dev.weir.simulator.truth;

import dev.weir.protocol.Registration;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What must be true of registrations, of the end of a dataset, and of what WFMS is told (seed 002, 2.3). */
final class Closure {

    private final State state;
    private final Archive archive;

    Closure(State state, Archive archive) {
        this.state = state;
        this.archive = archive;
    }

    void registered(Registration registration) {
        TaskTruth task = openTask(registration);
        if (registration instanceof Registration.Close close) {
            close(task, close);
            return;
        }
        boolean output = registration instanceof Registration.File;
        String jobUid =
                output ? ((Registration.File) registration).jobUid() : ((Registration.Log) registration).jobUid();
        String path = output ? ((Registration.File) registration).path() : ((Registration.Log) registration).path();
        JobTruth job = state.jobs.get(jobUid);
        Violation.check(job != null && job.task == task, "registrations belong to jobs of their dataset", registration);
        Violation.check(
                task.closeParts == 0, "a dataset closes once, after its last file", registration, "after the close");
        JobTruth.Ended made = Stream.concat(job.ended.stream(), job.late.stream())
                .filter(ended -> belongs(output ? ended.outUrl() : ended.logUrl(), path))
                .findFirst()
                .orElse(null);
        Violation.check(made != null, "only what pilots made is registered", registration, "of", job, job.ended);
        if (job.retried) {
            archive.retried(job.uid);
        }
        if (output) {
            Violation.check(archive.wasProduced(made.outUrl()), "only what pilots made is registered", registration);
            Violation.check(
                    ++job.outputsRegistered == 1 || job.retried,
                    "no two attempts of a job accepted",
                    registration,
                    "is the second of",
                    job);
            boolean right = !hasFinished(job)
                    || job.ended.stream().anyMatch(ended -> ended.finished() && belongs(ended.outUrl(), path));
            Violation.check(
                    right, "a finished job registers the output of the attempt that finished", registration, job.ended);
        }
        Violation.check(
                task.register(path, (output ? "out of " : "log of ") + jobUid + " " + made.attempt()) == null,
                "registrations are unique",
                registration);
    }

    private static boolean belongs(String url, String path) {
        return url != null && url.endsWith("/" + strip(path));
    }

    private static String strip(String path) {
        return path.startsWith("/") ? path.substring(1) : path;
    }

    private TaskTruth openTask(Registration registration) {
        String uid = state.openOutputs.get(registration.datasetUid());
        Violation.check(uid != null, "registrations belong to open tasks", registration);
        return state.tasks.get(uid);
    }

    private void close(TaskTruth task, Registration.Close close) {
        for (JobTruth job : task.jobs) {
            Violation.check(
                    job.is(Statuses.TERMINAL) || task.broken,
                    "a dataset closes once, after its last file",
                    close.datasetUid(),
                    "but",
                    job);
        }
        task.closeParts++;
        Violation.check(task.closeParts <= close.parts(), "a dataset closes once, after its last file", close);
        List<String> all = new ArrayList<>(task.checkList);
        all.addAll(close.checkList());
        task.checkList = all;
        if (task.closeParts == close.parts()) {
            checkList(task);
        }
    }

    private static void checkList(TaskTruth task) {
        Set<String> names = new HashSet<>();
        task.registered().keySet().forEach(path -> names.add(name(path)));
        Set<String> listed = new HashSet<>();
        task.checkList.forEach(entry -> listed.add(name(entry)));
        Violation.check(
                names.equals(listed) && task.checkList.size() == names.size(),
                "a dataset closes with exactly the check-list of registered outputs and logs",
                task.task.uid(),
                "listed",
                listed,
                "registered",
                names);
        Map<String, Set<String>> actual = new HashMap<>();
        task.registered()
                .forEach((path, what) -> actual.computeIfAbsent(what.split(" ")[2], uid -> new HashSet<>())
                        .add(name(path)));
        for (JobTruth job : task.jobs) {
            if (job.uid != null && !job.retried && !job.adopted) {
                Set<String> files = actual.getOrDefault(job.uid, Set.of());
                Set<String> must = expected(job);
                Set<String> may = new HashSet<>(must);
                job.late.forEach(ended -> add(may, ended.logUrl()));
                boolean lateOutput = job.late.stream().anyMatch(ended -> ended.outUrl() != null);
                if (lateOutput && !hasFinished(job)) {
                    // Of several failed attempts the newest output is registered, and one of these was told late.
                    job.ended.forEach(ended -> must.remove(ended.outUrl() == null ? "" : name(ended.outUrl())));
                    job.late.forEach(ended -> add(may, ended.outUrl()));
                }
                if (job.finishedAfterAll) {
                    job.ended.forEach(ended -> add(may, ended.logUrl()));
                }
                Violation.check(
                        files.containsAll(must)
                                && (hasFinished(job) && !job.finishedAfterAll ? must : may).containsAll(files),
                        "outputs and logs are registered by the rules of seed 002, 2.3",
                        job,
                        "must have",
                        must,
                        "and has",
                        files,
                        job.ended);
            }
        }
    }

    /** Finished: its output and last log. Else: the newest output that there is, and all logs. */
    private static Set<String> expected(JobTruth job) {
        Set<String> files = new HashSet<>();
        String output = null;
        for (JobTruth.Ended ended : job.ended) {
            if (!hasFinished(job) || ended.finished()) {
                add(files, ended.logUrl());
                output = ended.outUrl() != null ? ended.outUrl() : output;
            }
        }
        add(files, output);
        return files;
    }

    private static void add(Set<String> files, String url) {
        if (url != null) {
            files.add(name(url));
        }
    }

    private static boolean hasFinished(JobTruth job) {
        return job.ended.stream().anyMatch(JobTruth.Ended::finished);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    void told(TaskEvent event, Context context) {
        TaskTruth task = state.tasks.get(event.taskUid());
        if (task == null) {
            return;
        }
        boolean conflict = event.state() == TaskState.REJECTED && context.refusal == Context.Refusal.MUST;
        Violation.check(
                task.terminal == null && !conflict,
                "a task ends once, and nothing is told after its end",
                event,
                "after",
                task.terminal);
        if (!event.state().isTerminal()) {
            return;
        }
        boolean right = switch (event.state()) {
            case CLOSED -> task.closeParts > 0 && (!task.broken || task.cancelled);
            default -> task.broken;
        };
        Violation.check(
                right, "a task ends as its dataset says", event, "broken", task.broken, "closed", task.closeParts);
        if (event.state() == TaskState.CLOSED) {
            Violation.check(
                    task.count(Statuses.TERMINAL) == task.jobs.length,
                    "a dataset closes once, after its last file",
                    event);
        }
        task.terminal = event.state();
        for (JobTruth job : task.jobs) {
            if (!job.is(Statuses.TERMINAL)) {
                state.move(job, dev.weir.protocol.JobStatus.CANCELLED, context.now);
            }
        }
        state.openOutputs.remove(task.task.datOutUid());
        if (event.state() != TaskState.REJECTED) {
            state.closedOutputs.add(task.task.datOutUid());
        }
    }
}
