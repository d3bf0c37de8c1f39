package dev.weir.cli.demo;

import dev.weir.protocol.Result;
import dev.weir.protocol.Status;
import dev.weir.protocol.TaskEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The view from outside: counts the pilots' reports and the tasks' events, which any client can receive.
 * Each may arrive twice or late. Thread-safe.
 */
final class Watch {

    private final Map<String, DemoTask> tasks = new LinkedHashMap<>();
    private final Set<Attempt> started = new LinkedHashSet<>();
    private final Map<String, String> taskOfJob = new HashMap<>();
    private final Map<String, Set<String>> endedJobs = new HashMap<>();
    private final Map<String, TaskEvent> lastEvents = new HashMap<>();
    private final Set<String> events = new HashSet<>();

    synchronized void expect(DemoTask task) {
        tasks.put(task.uid(), task);
        endedJobs.put(task.uid(), new HashSet<>());
    }

    private record Attempt(String job, int number) {}

    /** A pilot has started a job. */
    synchronized void started(Status status) {
        if (status.status() == Status.Phase.STARTING) {
            started.add(new Attempt(status.jobUid(), status.attempt()));
        }
    }

    /** A pilot has ended an attempt. */
    synchronized void ended(Result result) {
        for (DemoTask task : tasks.values()) {
            if (task.owns(result.fileOutUrl()) || task.owns(result.fileLogUrl())) {
                taskOfJob.put(result.jobUid(), task.uid());
                boolean last = result.status() != Result.Outcome.FAILED
                        || result.attempt() > task.task().retry();
                if (last) {
                    endedJobs.get(task.uid()).add(result.jobUid());
                }
            }
        }
        notifyAll();
    }

    /** An event about a task has arrived. */
    synchronized void changed(TaskEvent event) {
        if (!tasks.containsKey(event.taskUid()) || !events.add(event.id())) {
            return;
        }
        TaskEvent known = lastEvents.get(event.taskUid());
        boolean over = known != null && known.state().isTerminal();
        if (!over) {
            lastEvents.put(event.taskUid(), event);
        }
        notifyAll();
    }

    synchronized List<Progress> progress() {
        List<Progress> all = new ArrayList<>();
        for (DemoTask task : tasks.values()) {
            TaskEvent event = lastEvents.get(task.uid());
            all.add(new Progress(
                    task,
                    endedJobs.get(task.uid()).size(),
                    event == null ? null : event.state(),
                    event == null ? null : event.counts(),
                    event == null ? null : event.reason()));
        }
        return all;
    }

    synchronized Progress progress(DemoTask task) {
        return progress().stream()
                .filter(progress -> progress.task().uid().equals(task.uid()))
                .findFirst()
                .orElseThrow();
    }

    /** All attempts of ended jobs, in the order of their starts. */
    synchronized List<Start> starts() {
        return started.stream()
                .filter(attempt -> taskOfJob.containsKey(attempt.job()))
                .map(attempt -> new Start(taskOfJob.get(attempt.job()), attempt.number() == 1))
                .toList();
    }

    /** Waits for the next message, at most this long. */
    synchronized void awaitNews(Duration atMost) throws InterruptedException {
        wait(atMost.toMillis());
    }
}
