package dev.weir.scheduler;

import dev.weir.protocol.AttemptRow;
import dev.weir.protocol.Beat;
import dev.weir.protocol.CommandRow;
import dev.weir.protocol.FileRow;
import dev.weir.protocol.Job;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.LimitRow;
import dev.weir.protocol.Notice;
import dev.weir.protocol.Outcome;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.PilotRow;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Row;
import dev.weir.protocol.TaskEvent;
import dev.weir.protocol.TaskRow;
import dev.weir.scheduler.api.Effect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a scheduler wanted done, kept for a test to look at. */
public class Outbox {

    /** An effect to a pilot. */
    public record Told(String pilotId, Notice notice) {}

    /** Jobs in each pool's queue. */
    public final Map<String, Deque<Job>> queues = new HashMap<>();

    /** By job uid. */
    public final Map<String, String> poolOf = new HashMap<>();

    public final List<Job> jobs = new ArrayList<>();
    public final List<Told> notices = new ArrayList<>();
    public final List<Registration> registrations = new ArrayList<>();
    public final List<TaskEvent> events = new ArrayList<>();
    public final Deque<PageRequest> pages = new ArrayDeque<>();
    public final List<String> rejected = new ArrayList<>();
    public final List<Outcome> outcomes = new ArrayList<>();
    public final Deque<Beat> beats = new ArrayDeque<>();
    public final Map<String, TaskRow> taskRows = new LinkedHashMap<>();
    public final Map<String, JobRow> jobRows = new LinkedHashMap<>();
    public final Map<String, PilotRow> pilotRows = new LinkedHashMap<>();
    public final List<FileRow> fileRows = new ArrayList<>();
    /** Effects of the event that had most. */
    public int mostEffects;

    public final Map<String, LimitRow> limitRows = new LinkedHashMap<>();
    public final Map<String, CommandRow> commandRows = new LinkedHashMap<>();
    public final List<AttemptRow> attemptRows = new ArrayList<>();
    public long rowsOfLimits;
    public long rowsOfJobs;
    public long rowsOfTasks;

    public Registration.Close close(String dataset) {
        List<Registration.Close> closes = closes(dataset);
        if (closes.size() != 1) {
            throw new AssertionError(closes.size() + " closes of " + dataset + ": " + closes);
        }
        return closes.get(0);
    }

    /** All names of a check-list whose parts have come, each once and in order. */
    public List<String> checkList(String dataset) {
        List<Registration.Close> closes = closes(dataset);
        List<String> names = new ArrayList<>();
        for (Registration.Close close : closes) {
            if (close.parts() != closes.size() || close != closes.get(close.part() - 1)) {
                throw new AssertionError("part " + close.part() + " of " + close.parts() + " of " + dataset + " is one"
                        + " of " + closes.size() + " that came");
            }
            names.addAll(close.checkList());
        }
        return names;
    }

    public List<Registration.Close> closes(String dataset) {
        List<Registration.Close> closes = new ArrayList<>();
        for (Registration registration : registrations) {
            if (registration instanceof Registration.Close close
                    && close.datasetUid().equals(dataset)) {
                closes.add(close);
            }
        }
        return closes;
    }

    public List<String> states(String taskUid) {
        return events.stream()
                .filter(event -> event.taskUid().equals(taskUid))
                .map(event -> event.state().wireName())
                .toList();
    }

    /** Keeps what the scheduler wanted done at one event. */
    public void keep(List<Effect> effects) {
        mostEffects = Math.max(mostEffects, effects.size());
        effects.forEach(this::keep);
    }

    private void keep(Effect effect) {
        if (effect instanceof Effect.SendJob send) {
            Job job = send.job();
            jobs.add(job);
            poolOf.put(job.uid(), send.pool());
            queues.computeIfAbsent(send.pool(), name -> new ArrayDeque<>()).add(job);
        } else if (effect instanceof Effect.SendNotice send) {
            notices.add(new Told(send.pilotId(), send.notice()));
        } else if (effect instanceof Effect.Register register) {
            registrations.add(register.registration());
        } else if (effect instanceof Effect.Announce announce) {
            events.add(announce.event());
        } else if (effect instanceof Effect.Answer answer) {
            outcomes.add(answer.outcome());
        } else if (effect instanceof Effect.AskPage ask) {
            pages.add(ask.request());
        } else if (effect instanceof Effect.Reject reject) {
            rejected.add(reject.field() + ": " + reject.reason());
        } else if (effect instanceof Effect.SendBeat send) {
            beats.add(send.beat());
        } else if (effect instanceof Effect.ShowRow show) {
            row(show.row());
        }
    }

    private void row(Row row) {
        if (row instanceof TaskRow task) {
            taskRows.put(task.uid(), task);
            rowsOfTasks++;
        } else if (row instanceof JobRow job) {
            jobRows.put(job.uid(), job);
            rowsOfJobs++;
        } else if (row instanceof PilotRow pilot) {
            pilotRows.put(pilot.pilotId(), pilot);
        } else if (row instanceof FileRow file) {
            fileRows.add(file);
        } else if (row instanceof AttemptRow attempt) {
            attemptRows.add(attempt);
        } else if (row instanceof LimitRow limit) {
            limitRows.put(limit.group(), limit);
            rowsOfLimits++;
        } else if (row instanceof CommandRow command) {
            commandRows.put(command.id(), command);
        }
    }
}
