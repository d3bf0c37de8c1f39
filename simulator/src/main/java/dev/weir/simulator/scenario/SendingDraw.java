package dev.weir.simulator.scenario;

import dev.weir.protocol.Command;
import dev.weir.protocol.Command.Type;
import dev.weir.protocol.DatasetPage;
import dev.weir.protocol.Heartbeat;
import dev.weir.protocol.Order;
import dev.weir.protocol.Result;
import dev.weir.protocol.Route;
import dev.weir.protocol.Status;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Draws what WFMS, operators and strangers send beside the tasks. */
final class SendingDraw {

    /** Groups of rules that there may be. */
    static final List<String> OF_RULES = List.of("host:store1.example", "net:10.0.1.0/24", "host:10.0.1.1");

    private static final String BY = "sim";

    private final long seed;
    private final Set<Fault> faults;
    private final long until;
    private final List<Sending> sendings = new ArrayList<>();
    private int ids;

    SendingDraw(long seed, Set<Fault> faults, long until) {
        this.seed = seed;
        this.faults = faults;
        this.until = until;
    }

    List<Sending> draw(List<TaskPlan> tasks, List<PilotPlan> pilots) {
        for (TaskPlan task : tasks) {
            Rand rand = Rand.of(seed, "sendings", task.index());
            ids = task.index() * 1000;
            if (faults.contains(Fault.TASK_REPEAT) && rand.chance(0.4)) {
                repeats(rand, task);
            }
            if (faults.contains(Fault.TASK_COMMANDS) && rand.chance(0.6)) {
                commands(rand, task);
            }
            if (faults.contains(Fault.TASK_COMMANDS)) {
                priorities(Rand.of(seed, "priorities", task.index()), task);
            }
        }
        if (faults.contains(Fault.STEERING)) {
            steering(Rand.of(seed, "steering"), pilots);
            windows(Rand.of(seed, "windows"), tasks);
        }
        if (faults.contains(Fault.GARBAGE)) {
            garbage(Rand.of(seed, "garbage"));
        }
        return sendings;
    }

    private void repeats(Rand rand, TaskPlan plan) {
        Task task = plan.task();
        for (int i = rand.between(1, 3); i > 0; i--) {
            Task sent = rand.chance(0.5) ? task : withArgs(task, "--other");
            add(rand.between(plan.sendAtMillis(), until), Fault.TASK_REPEAT, plan.index(), new Event.TaskArrived(sent));
        }
    }

    private void commands(Rand rand, TaskPlan plan) {
        for (int i = rand.between(1, 4); i > 0; i--) {
            Type type = rand.oneOf(
                    Type.RANK,
                    Type.RANK,
                    Type.RANK,
                    Type.PAUSE,
                    Type.PAUSE,
                    Type.RESUME,
                    Type.RETRY_FAILED,
                    Type.CANCEL,
                    Type.CLOSE);
            long given = Math.max(0, plan.sendAtMillis() + rand.between(-5_000, 180_000));
            long sent = given + (rand.chance(0.2) ? rand.between(0, 60_000) : 0);
            if (sent > until) {
                continue;
            }
            String task = plan.task().uid();
            Command command = type == Type.RANK
                    ? Command.rank(nextId(), at(given), BY, task, (int) rand.magnitude(1, 110))
                    : Command.ofTask(nextId(), at(given), BY, type, task);
            add(sent, Fault.TASK_COMMANDS, plan.index(), command);
            if (rand.chance(0.15)) {
                add(Math.min(until, sent + rand.between(0, 30_000)), Fault.TASK_COMMANDS, plan.index(), command);
            }
            if (type == Type.PAUSE && rand.chance(0.7)) {
                long later = given + rand.between(1_000, 60_000);
                Command resume = Command.ofTask(nextId(), at(later), BY, Type.RESUME, task);
                add(later, Fault.TASK_COMMANDS, plan.index(), resume);
            }
        }
    }

    /** Most about files of tasks in priority order, several about the same file, some of them overtaken by later ones. */
    private void priorities(Rand rand, TaskPlan plan) {
        ids = plan.index() * 1000 + 500;
        boolean ordered = plan.task().order() == Order.PRIORITY;
        int files = plan.dataset().files().size();
        for (int i = rand.chance(ordered ? 0.8 : 0.1) ? rand.between(1, ordered ? 8 : 1) : 0; i > 0; i--) {
            long position = rand.between(0, files + files / 20);
            for (int j = rand.between(1, 3); j > 0; j--) {
                long given = Math.max(0, plan.sendAtMillis() + rand.between(-2_000, 60_000));
                long sent = given + (rand.chance(0.4) ? rand.between(0, 60_000) : 0);
                if (sent <= until) {
                    Command command = Command.priority(
                            nextId(), at(given), BY, plan.task().uid(), position, rand.between(1, 7));
                    add(sent, Fault.TASK_COMMANDS, plan.index(), command);
                }
            }
        }
    }

    private void steering(Rand rand, List<PilotPlan> pilots) {
        ids = 900_000;
        for (int i = rand.between(1, 6); i > 0; i--) {
            long at = rand.between(0, until);
            switch (rand.between(0, 3)) {
                case 0, 1 -> {
                    String group = rand.chance(0.5) ? rand.pick(TaskDraw.GROUPS) : rand.pick(OF_RULES);
                    boolean starts = rand.chance(0.3);
                    Command limit = Command.limit(
                            nextId(),
                            at(at),
                            BY,
                            group,
                            rand.between(0, 5),
                            starts ? (Integer) rand.between(1, 5) : null,
                            starts ? (Integer) rand.between(1, 20) : null);
                    add(at, Fault.STEERING, -1, limit);
                }
                case 2 -> {
                    String pool = rand.oneOf("cpu", "gpu");
                    Type stop = rand.oneOf(Type.POOL_PAUSE, Type.POOL_DRAIN);
                    add(at, Fault.STEERING, -1, Command.ofPool(nextId(), at(at), BY, stop, pool));
                    long later = at + rand.between(1_000, 60_000);
                    add(later, Fault.STEERING, -1, Command.ofPool(nextId(), at(later), BY, Type.POOL_RESUME, pool));
                }
                default -> {
                    String pilot = rand.pick(pilots).id();
                    Type stop = rand.oneOf(Type.PILOT_EXCLUDE, Type.PILOT_DRAIN);
                    add(at, Fault.STEERING, -1, Command.ofPilot(nextId(), at(at), BY, stop, pilot));
                    long later = at + rand.between(1_000, 60_000);
                    add(later, Fault.STEERING, -1, Command.ofPilot(nextId(), at(later), BY, Type.PILOT_INCLUDE, pilot));
                }
            }
        }
    }

    /** Limits of starts that are changed while they count: more or fewer, in a longer or a shorter window. */
    private void windows(Rand rand, List<TaskPlan> tasks) {
        Set<String> groups = new TreeSet<>();
        tasks.forEach(task -> task.dataset().groups().forEach(groups::addAll));
        for (int i = groups.isEmpty() ? 0 : rand.between(0, 3); i > 0; i--) {
            String group = rand.pick(List.copyOf(groups));
            long at = rand.between(0, until);
            for (int j = rand.between(1, 3); j > 0; j--) {
                Command limit = Command.limit(nextId(), at(at), BY, group, 50, rand.between(1, 6), rand.between(1, 40));
                add(at, Fault.STEERING, -1, limit);
                at += rand.between(100, 20_000);
            }
        }
    }

    private void garbage(Rand rand) {
        Instant now = Instant.ofEpochMilli(Scenario.START_MILLIS);
        for (int i = rand.between(1, 8); i > 0; i--) {
            Event event = switch (rand.between(0, 6)) {
                case 0 ->
                    new Event.ReportArrived(
                            new Heartbeat("stranger", "nowhere", null, now, null, null, null, null, null, null));
                case 1 ->
                    new Event.ReportArrived(
                            new Status("stranger", "cpu", now, "no-such-job", 1, "not a route", Status.Phase.STARTING));
                case 2 ->
                    new Event.ReportArrived(new Status(
                            "stranger",
                            "cpu",
                            now,
                            "no-such-task.0.job",
                            1,
                            new Route(0, 0, "no-such-task").encoded(),
                            Status.Phase.RUNNING));
                case 3 -> new Event.ReportArrived(result(now, "no-such-job", null));
                case 4 ->
                    new Event.ReportArrived(result(now, "t0.1000000.job", new Route(0, 1_000_000, "t0").encoded()));
                case 5 -> new Event.PageArrived("t0", "in0", 7_777_777, 10, new DatasetPage(3L, List.of()));
                default -> new Event.PageFailed("no-such-task", "in0", 0, 10, true, "not asked for");
            };
            add(rand.between(0, until), Fault.GARBAGE, -1, event);
        }
    }

    private static Result result(Instant now, String jobUid, String route) {
        return new Result(
                "stranger",
                "gpu",
                now,
                jobUid,
                2,
                route,
                Result.Outcome.FINISHED,
                0,
                null,
                null,
                "x:/o",
                1L,
                null,
                null,
                null,
                null,
                now,
                now);
    }

    private String nextId() {
        return "c" + ids++;
    }

    private static Instant at(long atMillis) {
        return Instant.ofEpochMilli(Scenario.START_MILLIS + atMillis);
    }

    private void add(long atMillis, Fault fault, int task, Command command) {
        add(atMillis, fault, task, new Event.CommandArrived(command));
    }

    private void add(long atMillis, Fault fault, int task, Event event) {
        sendings.add(new Sending(atMillis, fault, task, event));
    }

    private static Task withArgs(Task t, String args) {
        return new Task(
                t.uid(),
                t.executable(),
                args,
                t.rank(),
                t.deviceType(),
                t.mode(),
                t.retry(),
                t.datInUid(),
                t.datOutUid(),
                t.datStorUrl(),
                t.datOutUrl(),
                t.datStorId(),
                t.owner(),
                t.order(),
                t.groups(),
                t.targets(),
                t.ranker(),
                t.chunkFiles(),
                t.demoteAfterS(),
                t.autoCancel(),
                t.filesPerJob(),
                t.timeoutS(),
                t.pool(),
                t.keepOpenS());
    }
}
