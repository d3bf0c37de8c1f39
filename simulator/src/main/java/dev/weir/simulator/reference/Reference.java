package dev.weir.simulator.reference;

import dev.weir.protocol.Beat;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Notice;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.Task;
import dev.weir.protocol.TaskState;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.invariant.Groups;
import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.reference.RefJob.Phase;
import dev.weir.simulator.reference.RefTask.Stop;
import dev.weir.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A naive scheduler beside the core, for calm worlds. It takes the same events, and what the core did must be what it did. It follows the core
 * only in when further pages are asked for.
 */
public final class Reference {

    private final Model model;
    private final Fleet fleet;
    private final Admission admission;
    private final Closing closing;
    private final Attempts attempts;
    private final Steering steering;
    private final Dispatch dispatch;
    private final Groups groups;
    private final boolean isLimited;
    /** The parts of a check-list so far. */
    private final List<String> checkList = new ArrayList<>();

    /** @param groups what is started in them */
    public Reference(Scenario scenario, Groups groups) {
        this.groups = groups;
        isLimited = scenario.isLimited();
        model = new Model(scenario);
        fleet = new Fleet(model);
        admission = new Admission(model);
        closing = new Closing(model);
        attempts = new Attempts(model, fleet, closing);
        steering = new Steering(model, admission, attempts, fleet);
        dispatch = new Dispatch(model, admission, fleet);
    }

    /** Throws {@link Violation} when the core did anything else with the event than it must. */
    public void check(Event event, long now, List<Effect> effects) {
        model.begin(now);
        dispatch.begin(effects);
        react(event, effects);
        fleet.settle();
        attempts.settle();
        if (isLimited) {
            dispatch.fillLimited(groups);
        } else {
            dispatch.fill();
        }
        compare(event, effects);
    }

    private void react(Event event, List<Effect> effects) {
        if (event instanceof Event.TaskArrived arrived) {
            task(arrived.task());
        } else if (event instanceof Event.CommandArrived arrived) {
            steering.arrived(arrived.command());
        } else if (event instanceof Event.PageArrived page) {
            page(page);
        } else if (event instanceof Event.PageFailed failed) {
            RefTask task = expecting(failed.taskUid(), failed.offset());
            if (task != null) {
                isMissing(task);
            }
        } else if (event instanceof Event.ReportArrived arrived) {
            if (arrived.report() instanceof Beat) {
                beat(effects);
            } else {
                attempts.arrived(arrived.report());
            }
        } else {
            tick(effects);
        }
    }

    private void task(Task task) {
        RefTask known = model.tasks.get(task.uid());
        if (known != null) {
            if (!known.spec.equals(task)) {
                model.refuse("uid");
            }
            return;
        }
        RefPool pool = model.pools.get(task.poolName());
        RefTask accepted = new RefTask(
                task,
                model.scenario.datasets().get(task.datInUid()),
                pool,
                model.tasks.size(),
                model.options.attempts().storageAwayAfter(),
                model.now);
        accepted.chunkLeft = dispatch.chunkFiles(accepted);
        model.tasks.put(task.uid(), accepted);
        model.announce(accepted, TaskState.ACCEPTED);
        admission.enqueue(accepted);
        if (!task.targets().isEmpty()) {
            accepted.total = task.targets().size();
            accepted.reads(accepted.total, model.now);
        }
        steering.taskCame(accepted);
        attempts.closeIfDone(accepted);
    }

    private RefTask expecting(String uid, long offset) {
        RefTask task = model.tasks.get(uid);
        boolean expects = task != null && task.pageAsked && task.read == offset && task.stop == Stop.NONE;
        return expects ? task : null;
    }

    private void page(Event.PageArrived page) {
        RefTask task = expecting(page.taskUid(), page.offset());
        if (task == null) {
            return;
        }
        task.pageAsked = false;
        task.pageMissing = false;
        task.readsAhead = false;
        task.pool.dsmIsSilent = false;
        task.total = Math.toIntExact(page.page().total());
        task.reads(page.page().data().size(), model.now);
        attempts.closeIfDone(task);
        admission.enqueue(task);
    }

    /** DSM does not give a page: the task's slot is for others once it has no more files. */
    private void isMissing(RefTask task) {
        task.pageMissing = true;
        task.readsAhead = false;
        task.pool.dsmIsSilent = true;
        task.hasSlot &= task.hasFresh();
    }

    private void beat(List<Effect> effects) {
        long interval = model.options.pilots().heartbeat().toMillis();
        model.beatClock += model.beatAt == 0 ? 0 : Math.min(interval, model.now - model.beatAt);
        model.beatAt = model.now;
        attempts.expire(new ArrayList<>(rows(effects).keySet()));
        fleet.expire();
    }

    private void tick(List<Effect> effects) {
        steering.tick();
        fleet.tick();
        model.pools.values().forEach(pool -> pool.forgetStaleMessages(model.now));
        for (RefTask task : model.tasks.values()) {
            // How many parts to a tick is open.
            for (int parts = partsOf(task, effects); parts > 0 && task.partsLeft > 0; parts--) {
                closing.closePart(task);
            }
            attempts.stopOverdue(task);
            if (task.keptUntil > 0 && task.keptUntil <= model.now) {
                attempts.closeIfDone(task);
            }
            for (RefJob job : task.count(Phase.COOLING) > 0 ? task.jobs : List.<RefJob>of()) {
                if (job.phase == Phase.COOLING && job.dueAt <= model.now) {
                    job.become(Phase.DUE);
                    job.dueSince = model.event;
                }
            }
        }
        for (PageRequest page : pages(effects)) {
            RefTask task = model.tasks.get(page.taskUid());
            if (task.pageAsked) {
                isMissing(task);
            }
        }
    }

    private static int partsOf(RefTask task, List<Effect> effects) {
        int parts = 0;
        for (Effect effect : effects) {
            boolean isPart = effect instanceof Effect.Register register
                    && register.registration() instanceof Registration.Close close
                    && close.datasetUid().equals(task.spec.datOutUid());
            parts += isPart ? 1 : 0;
        }
        return parts;
    }

    private static List<PageRequest> pages(List<Effect> effects) {
        List<PageRequest> pages = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.AskPage ask) {
                pages.add(ask.request());
            }
        }
        return pages;
    }

    /** The last row of each job, by uid, in the order of the first ones. */
    private static Map<String, JobRow> rows(List<Effect> effects) {
        Map<String, JobRow> rows = new LinkedHashMap<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.ShowRow show && show.row() instanceof JobRow row) {
                rows.put(row.uid(), row);
            }
        }
        return rows;
    }

    private void compare(Event event, List<Effect> effects) {
        List<String> done = new ArrayList<>();
        Set<String> notices = new TreeSet<>();
        Set<String> firstPages = new HashSet<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Announce announce) {
                done.add("announce " + announce.event().taskUid() + " "
                        + announce.event().state());
            } else if (effect instanceof Effect.Register register) {
                register(register.registration(), done);
            } else if (effect instanceof Effect.Reject refuse) {
                done.add("refuse " + refuse.field());
            } else if (effect instanceof Effect.SendNotice sent) {
                notices.add(line(sent.pilotId(), sent.notice()));
            } else if (effect instanceof Effect.AskPage ask) {
                RefTask task = model.tasks.get(ask.request().taskUid());
                if (task.readsAhead && firstPages.add(task.spec.uid())) {
                    done.add("ask for the first page of " + task.spec.uid());
                }
                task.pageAsked |= task.stop == Stop.NONE;
            }
        }
        rows(effects).values().forEach(row -> done.add(line(row)));
        List<String> expected = new ArrayList<>(model.expected);
        model.changed.forEach(job -> expected.add(line(job)));
        same("the core does what its rules say", event, expected, done);
        same("pilots hear what they must, and nothing else", event, model.notices, notices);
    }

    private static void same(String rule, Event event, Iterable<String> expected, Iterable<String> done) {
        List<String> missing = sorted(expected);
        List<String> more = sorted(done);
        Violation.check(
                missing.equals(more),
                rule,
                "after",
                event,
                "expected",
                without(missing, more),
                "but did",
                without(more, missing));
    }

    private static List<String> sorted(Iterable<String> lines) {
        List<String> sorted = new ArrayList<>();
        lines.forEach(sorted::add);
        sorted.sort(null);
        return sorted;
    }

    private static List<String> without(List<String> lines, List<String> others) {
        List<String> left = new ArrayList<>(lines);
        others.forEach(left::remove);
        return left;
    }

    private void register(Registration registration, List<String> done) {
        if (registration instanceof Registration.Close close) {
            checkList.addAll(close.checkList());
            if (close.part() == close.parts()) {
                done.add("close " + close.datasetUid() + " " + sorted(checkList));
                checkList.clear();
            }
        } else {
            done.add("register " + registration.id());
        }
    }

    private static String line(String pilot, Notice notice) {
        return notice.type().isAboutAttempt()
                ? notice.type() + " " + notice.jobUid() + "/" + notice.attempt() + " at " + pilot
                : notice.type() + " " + pilot;
    }

    private static String line(JobRow row) {
        return "job " + row.uid() + " is " + row.status() + ", attempt " + row.attempt() + " at " + row.pilotId()
                + ", failures " + row.retries() + " and " + row.systemRetries();
    }

    private static String line(RefJob job) {
        Phase shown = job.phase == Phase.DUE ? Phase.COOLING : job.phase;
        return "job " + job.uid + " is " + shown + ", attempt " + job.attempt + " at " + job.pilot + ", failures "
                + job.payloadFailures + " and " + job.systemFailures;
    }

    /** Holds the core's count of files that wait because their task is paused against the tasks. */
    public void count(long paused) {
        long files = 0;
        for (RefTask task : model.tasks.values()) {
            if (task.paused && !task.ended && task.stop == Stop.NONE) {
                // How many jobs a Merge task has is known once all its files are.
                boolean known = task.total >= 0 && (task.spec.mode() == Mode.MAP || task.read == task.total);
                files += known ? task.total - task.read : 0;
                files += known ? task.count(Phase.WAITING) : 0;
                files += task.count(Phase.COOLING) + task.count(Phase.DUE);
            }
        }
        Violation.check(files == paused, "the files of paused tasks are counted", "there are", files, "but", paused);
    }
}
