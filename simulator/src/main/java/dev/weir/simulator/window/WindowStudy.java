package dev.weir.simulator.window;

import dev.weir.protocol.Command;
import dev.weir.protocol.DeviceType;
import dev.weir.protocol.FileInfo;
import dev.weir.protocol.Mode;
import dev.weir.protocol.Order;
import dev.weir.protocol.Task;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.MirrorOptions;
import dev.weir.scheduler.options.PoolOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.simulator.scenario.DatasetPlan;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.PilotPlan;
import dev.weir.simulator.scenario.Rand;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.scenario.Sending;
import dev.weir.simulator.scenario.TaskPlan;
import dev.weir.simulator.world.Observation;
import dev.weir.simulator.world.Tamper;
import dev.weir.simulator.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Pilots and more work than they can do, {@value #LATENCY_MILLIS} ms each way between any two parts of the world: what share of
 * the slot time passes without a job, and how long is the queue that this takes?
 */
public final class WindowStudy {

    /** Of every message, one way. */
    public static final int LATENCY_MILLIS = 2;

    private static final int MOST_FILES = 60_000;

    private WindowStudy() {}

    /**
     * A load to study.
     *
     * @param jobMillis how long jobs take, a task for each; single jobs vary by half of it both ways
     * @param pilots how many there are
     * @param lanes between which the tasks are spread
     * @param change what happens to the pilots
     * @param millis how long it runs, in virtual time; the first fifth is not counted
     */
    public record Load(String name, List<Long> jobMillis, int pilots, int lanes, Change change, long millis) {}

    /** What happens to pilots. */
    public enum Change {
        NONE,
        /** They die and come back, and half of them join only later. */
        COME_AND_GO,
        /** One after the other is drained by an operator, and a new one joins at that moment. */
        REPLACED,
        /** At one node in ten every attempt fails by the system's fault, so that it is set aside. */
        BAD_NODES
    }

    /**
     * What was seen.
     *
     * @param idleShare of slot time, 0 to 1, that passed without a job although work waited
     * @param handoverShare what one hand-over a job takes at least: the pilot asks, the broker answers
     * @param meanQueued jobs that waited in the queue, on average
     * @param meanWindow what the core let out, on average
     */
    public record Result(
            Load load, double idleShare, double handoverShare, double meanQueued, int maxQueued, double meanWindow) {}

    /** From 10 ms to an hour, mixed, and with pilots that come and go. */
    public static List<Load> loads() {
        long hour = 3_600_000;
        return List.of(
                new Load("10 ms", List.of(10L), 40, 1, Change.NONE, 20_000),
                new Load("100 ms", List.of(100L), 40, 1, Change.NONE, 120_000),
                new Load("1 s", List.of(1_000L), 50, 1, Change.NONE, 600_000),
                new Load("10 s", List.of(10_000L), 50, 1, Change.NONE, hour),
                new Load("1 min", List.of(60_000L), 50, 1, Change.NONE, 4 * hour),
                new Load("10 min", List.of(600_000L), 50, 1, Change.NONE, 4 * hour),
                new Load("1 h", List.of(hour), 50, 1, Change.NONE, 8 * hour),
                new Load(
                        "1 s to 1 h, mixed",
                        List.of(1_000L, 10_000L, 60_000L, 600_000L, hour),
                        100,
                        1,
                        Change.NONE,
                        8 * hour),
                new Load("1 s to 10 s, come and go", List.of(1_000L, 10_000L), 50, 1, Change.COME_AND_GO, hour / 2),
                new Load(
                        "1 s to 1 h, come and go",
                        List.of(1_000L, 60_000L, hour),
                        100,
                        1,
                        Change.COME_AND_GO,
                        4 * hour),
                new Load("10 s, all replaced one by one", List.of(10_000L), 50, 1, Change.REPLACED, hour),
                new Load(
                        "1 s to 1 h, all replaced one by one",
                        List.of(1_000L, 60_000L, hour),
                        50,
                        1,
                        Change.REPLACED,
                        4 * hour),
                new Load("10 s, a tenth of the nodes bad", List.of(10_000L), 50, 1, Change.BAD_NODES, 2 * hour),
                new Load(
                        "10 s to 1 h, two lanes",
                        List.of(10_000L, 60_000L, 600_000L, hour),
                        100,
                        2,
                        Change.NONE,
                        8 * hour),
                new Load("1 min, two lanes, work in one", List.of(60_000L), 100, 2, Change.NONE, 4 * hour));
    }

    public static Result run(Load load, long seed) {
        World world = new World(scenario(load, seed), Tamper.NONE, null);
        List<Observation> seen = new ArrayList<>();
        world.observe("cpu", load.millis(), Math.max(50, load.millis() / 2_000), seen::add);
        Observation first = seen.get(seen.size() / 5);
        Observation last = seen.get(seen.size() - 1);
        List<Observation> counted = seen.subList(seen.size() / 5, seen.size());
        double able = last.ableMillis() - first.ableMillis();
        double jobMillis =
                load.jobMillis().stream().mapToLong(Long::longValue).average().orElseThrow();
        return new Result(
                load,
                1 - (last.busyMillis() - first.busyMillis()) / able,
                2.0 * LATENCY_MILLIS / (jobMillis + 2.0 * LATENCY_MILLIS),
                counted.stream().mapToInt(Observation::queued).average().orElseThrow(),
                counted.stream().mapToInt(Observation::queued).max().orElseThrow(),
                counted.stream().mapToLong(Observation::window).average().orElseThrow());
    }

    private static Scenario scenario(Load load, long seed) {
        SchedulerOptions options = SchedulerOptions.defaults()
                .withPools(Map.of("cpu", PoolOptions.defaults()))
                .withMirror(new MirrorOptions(true, Duration.ofSeconds(10)))
                .withLanes(load.lanes())
                .withSeed(seed);
        List<TaskPlan> tasks = new ArrayList<>();
        Map<String, DatasetPlan> datasets = new HashMap<>();
        for (long jobMillis : load.jobMillis()) {
            TaskPlan plan = task(tasks.size(), jobMillis, load);
            tasks.add(plan);
            datasets.put(plan.dataset().uid(), plan.dataset());
        }
        List<PilotPlan> pilots = new ArrayList<>();
        Rand rand = Rand.of(seed, "window study");
        List<Sending> sendings = new ArrayList<>();
        boolean comeAndGo = load.change() == Change.COME_AND_GO;
        for (int i = 0; i < load.pilots(); i++) {
            long join = comeAndGo && i % 2 == 1 ? rand.between(0, load.millis()) : rand.between(0L, 1_000L);
            boolean bad = load.change() == Change.BAD_NODES && i % 10 == 0;
            pilots.add(pilot("p" + i, rand, join, bad));
        }
        for (int i = 0; load.change() == Change.REPLACED && i < load.pilots(); i++) {
            long at = load.millis() * (i + 1) / (load.pilots() + 1);
            pilots.add(pilot("new" + i, rand, at, false));
            sendings.add(drain("p" + i, at));
        }
        return new Scenario(
                seed,
                false,
                0,
                options,
                tasks,
                datasets,
                pilots,
                sendings,
                comeAndGo ? Set.of(Fault.PILOT_CRASH) : Set.of(),
                load.millis(),
                comeAndGo ? 240_000.0 * 4 / load.millis() : 1,
                load.millis() * 2,
                // With faults latencies vary from 1 to this, evenly.
                comeAndGo ? 2 * LATENCY_MILLIS - 1 : LATENCY_MILLIS);
    }

    private static PilotPlan pilot(String id, Rand rand, long joinAtMillis, boolean bad) {
        double speed = rand.magnitude(0.7, 1.4);
        return new PilotPlan(id, "node-" + id, List.of("cpu"), speed, joinAtMillis, 0, bad ? 1 : 0, true);
    }

    private static Sending drain(String pilot, long atMillis) {
        Instant at = Instant.ofEpochMilli(Scenario.START_MILLIS + atMillis);
        Command drain = Command.ofPilot("drain-" + pilot, at, "study", Command.Type.PILOT_DRAIN, pilot);
        return new Sending(atMillis, Fault.STEERING, -1, new Event.CommandArrived(drain));
    }

    /** A dataset that lasts for the whole run, whatever the other tasks do. */
    private static TaskPlan task(int index, long jobMillis, Load load) {
        long needed = 2 * load.pilots() * load.millis() / jobMillis + 100;
        int count = (int) Math.min(MOST_FILES * 4L / load.jobMillis().size(), needed);
        List<FileInfo> files = new ArrayList<>(count);
        List<List<String>> groups = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            files.add(new FileInfo("f" + i, "https://store.example/data", "run", 1L, null, null, null, List.of()));
            groups.add(List.of());
        }
        Task task = new Task(
                "t" + index,
                "reco",
                null,
                10.0,
                DeviceType.CPU,
                Mode.MAP,
                0,
                "in" + index,
                "out" + index,
                "https://out.example",
                "sets/out" + index,
                null,
                null,
                Order.SEQUENTIAL,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        return new TaskPlan(
                index, 0, task, new DatasetPlan("in" + index, files, groups, DatasetPlan.Quirk.NONE), jobMillis, 0, 0);
    }
}
