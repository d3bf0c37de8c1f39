package dev.weir.simulator.scenario;

import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Draws a scenario from a seed: the same seed and cut always give the same one. */
public final class ScenarioDraw {

    private static final int MEAN_JOBS = 560;

    private ScenarioDraw() {}

    public static Scenario of(long seed, Cut cut) {
        Rand rand = Rand.of(seed, "scenario");
        Set<Fault> faults = faults(Rand.of(seed, "faults"), cut);
        SchedulerOptions options = new OptionsDraw(seed).draw(seed).withLanes(lanes(Rand.of(seed, "lanes")));
        boolean calm = Calm.isDrawn(seed);
        if (calm) {
            faults.retainAll(Calm.FAULTS);
            options = Calm.options(options);
        }
        long until = rand.between(120_000, 480_000);
        int taskCount = (int) rand.magnitude(1, 16);
        int jobs = (int) (MEAN_JOBS * rand.magnitude(0.5, 1.7));
        int pilotCount = (int) rand.magnitude(2, 16);
        // Jobs as short as it takes to keep the whole within about a quarter of an hour.
        double speedUp = Math.min(1, pilotCount * 600_000.0 / jobs / 10_500);
        boolean littleRoom = GroupRoom.isDrawn(seed);
        TaskDraw taskDraw = new TaskDraw(seed, options.limits(), faults, !littleRoom);
        int mostFiles = calm ? Math.min(cut.maxFiles(), Calm.MOST_FILES) : cut.maxFiles();
        List<TaskPlan> tasks = new ArrayList<>();
        Map<String, DatasetPlan> datasets = new HashMap<>();
        for (int i = 0; i < taskCount; i++) {
            if (cut.tasks() == null || cut.tasks().contains(i)) {
                TaskPlan task = taskDraw.draw(i, Math.max(2, jobs / taskCount), mostFiles, speedUp, until);
                tasks.add(task);
                datasets.put(task.dataset().uid(), task.dataset());
            }
        }
        List<PilotPlan> pilots = pilots(seed, pilotCount, cut.maxPilots(), faults);
        List<Sending> sendings = new SendingDraw(seed, faults, until).draw(tasks, pilots);
        if (calm) {
            Calm.keep(sendings, options);
        } else if (littleRoom) {
            options = GroupRoom.options(options, tasks);
        }
        return new Scenario(
                seed,
                calm,
                0,
                options,
                tasks,
                datasets,
                pilots,
                sendings,
                faults,
                until,
                rand.magnitude(0.3, 3),
                (long) rand.magnitude(3_000, 60_000),
                (int) rand.magnitude(1, 40));
    }

    private static int lanes(Rand rand) {
        return rand.chance(0.9) ? 1 : rand.between(2, 3);
    }

    private static Set<Fault> faults(Rand rand, Cut cut) {
        EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
        double likely = rand.oneOf(0.2, 0.5, 0.8);
        for (Fault fault : Fault.values()) {
            if (rand.chance(likely) && !cut.without().contains(fault)) {
                faults.add(fault);
            }
        }
        return faults;
    }

    private static List<PilotPlan> pilots(long seed, int count, int most, Set<Fault> faults) {
        List<PilotPlan> pilots = new ArrayList<>();
        List<String> nodes = new ArrayList<>();
        int gpus = 0;
        for (int i = 0; i < count; i++) {
            Rand rand = Rand.of(seed, "pilot", i);
            // The first two serve one pool each, so that none is without.
            boolean gpu = i == 1 || i > 1 && rand.chance(0.4);
            List<String> pools =
                    gpu ? rand.chance(0.3) && i > 1 ? List.of("gpu", "cpu") : List.of("gpu") : List.of("cpu");
            boolean broken = faults.contains(Fault.JOB_FAILURE) && i > 1 && rand.chance(0.1);
            nodes.add(node(seed, i, nodes, faults));
            PilotPlan pilot = new PilotPlan(
                    "p" + i,
                    nodes.get(i),
                    pools,
                    rand.magnitude(0.3, 3),
                    i < 2 || rand.chance(0.7) ? rand.between(0, 3_000) : rand.between(0, 300_000),
                    broken ? 0.9 : 0,
                    faults.contains(Fault.BAD_NODES) ? nodeFaultShare(seed, nodes.get(i)) : 0,
                    Rand.of(seed, "version of p" + i).chance(0.6));
            gpus += gpu ? 1 : 0;
            int ofItsKind = gpu ? gpus : i + 1 - gpus;
            if (ofItsKind <= most) {
                pilots.add(pilot);
            }
        }
        return pilots;
    }

    private static String node(long seed, int pilot, List<String> nodes, Set<Fault> faults) {
        Rand rand = Rand.of(seed, "node", pilot);
        boolean shared = faults.contains(Fault.BAD_NODES) && pilot > 0 && rand.chance(0.3);
        return shared ? rand.pick(nodes) : "node-of-p" + pilot;
    }

    private static double nodeFaultShare(long seed, String node) {
        Rand rand = Rand.of(seed, "faults of " + node);
        return rand.chance(0.35) ? rand.oneOf(0.4, 0.7, 0.95) : 0;
    }
}
