package dev.weir.simulator.reference;

import dev.weir.protocol.Notice;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.simulator.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the reference knows, and what it expects of the present event, as one line for each thing that the core says. */
final class Model {

    final Scenario scenario;
    final SchedulerOptions options;
    /** Every task that was accepted, in order of arrival. */
    final Map<String, RefTask> tasks = new LinkedHashMap<>();

    /** Every job that was ever sent, by uid. */
    final Map<String, RefJob> jobs = new LinkedHashMap<>();

    final Map<String, RefPool> pools = new TreeMap<>();
    final List<String> expected = new ArrayList<>();
    final Set<String> notices = new LinkedHashSet<>();
    /** Jobs whose row changes in the present event. */
    final Set<RefJob> changed = new LinkedHashSet<>();

    long now;
    long event;
    /** The clock on which leases run, in milliseconds. */
    long beatClock;

    long beatAt;

    Model(Scenario scenario) {
        this.scenario = scenario;
        options = scenario.options();
        options.pools().forEach((name, pool) -> pools.put(name, new RefPool(name, pool)));
    }

    void begin(long nowMillis) {
        now = nowMillis;
        event++;
        expected.clear();
        notices.clear();
        changed.clear();
    }

    Stream<RefTask> tasksOf(RefPool pool) {
        return tasks.values().stream().filter(task -> task.pool == pool && !task.ended);
    }

    void refuse(String field) {
        expected.add("refuse " + field);
    }

    void announce(RefTask task, Object state) {
        expected.add("announce " + task.spec.uid() + " " + state);
    }

    void tell(RefJob job, String pilot, int attempt, Notice.Kind kind) {
        notices.add(kind + " " + job.uid + "/" + attempt + " at " + pilot);
    }

    void tell(String pilot, Notice.Kind kind) {
        notices.add(kind + " " + pilot);
    }
}
