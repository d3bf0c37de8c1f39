package dev.weir.simulator;

import dev.weir.simulator.scenario.Cut;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.ScenarioDraw;
import dev.weir.simulator.scenario.TaskPlan;
import dev.weir.simulator.world.Tamper;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Makes a failing scenario smaller: fewer tasks, faults, files and pilots, as long as the same rule is broken. */
public final class Shrinker {

    private static final int MOST_RUNS = 200;

    private final long seed;
    private final String rule;
    private int runs;
    private Cut best = Cut.NONE;

    private Shrinker(long seed, String rule) {
        this.seed = seed;
        this.rule = rule;
    }

    /** The smallest cut found under which the seed still breaks the rule that it broke. */
    public static Cut shrink(SeedResult failing) {
        Shrinker shrinker = new Shrinker(failing.seed(), failing.violation().rule());
        boolean smaller = true;
        while (smaller && shrinker.runs < MOST_RUNS) {
            Cut before = shrinker.best;
            shrinker.tasks();
            shrinker.faults();
            shrinker.files();
            shrinker.pilots();
            smaller = !before.equals(shrinker.best);
        }
        return shrinker.best;
    }

    private void tasks() {
        Set<Integer> kept = new TreeSet<>();
        for (TaskPlan plan : ScenarioDraw.of(seed, best).tasks()) {
            kept.add(plan.index());
        }
        for (Integer index : List.copyOf(kept)) {
            Set<Integer> fewer = new TreeSet<>(kept);
            fewer.remove(index);
            if (!fewer.isEmpty() && attempt(best.withTasks(fewer))) {
                kept = fewer;
            }
        }
    }

    private void faults() {
        for (Fault fault : ScenarioDraw.of(seed, best).faults()) {
            attempt(best.without(fault));
        }
    }

    private void files() {
        int most = ScenarioDraw.of(seed, best).datasets().values().stream()
                .mapToInt(dataset -> dataset.files().size())
                .max()
                .orElse(0);
        for (int files = 1; files < most; files *= 2) {
            if (attempt(best.withMaxFiles(files))) {
                return;
            }
        }
    }

    private void pilots() {
        for (int pilots = 1; pilots < Math.min(8, best.maxPilots()); pilots++) {
            if (attempt(best.withMaxPilots(pilots))) {
                return;
            }
        }
    }

    private boolean attempt(Cut cut) {
        if (cut.equals(best) || runs++ >= MOST_RUNS) {
            return false;
        }
        SeedResult result = Simulation.run(seed, cut, Tamper.NONE, null);
        boolean same = result.violation() != null && result.violation().rule().equals(rule);
        if (same) {
            best = cut;
        }
        return same;
    }
}
