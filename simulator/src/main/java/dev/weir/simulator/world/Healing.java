package dev.weir.simulator.world;

import dev.weir.protocol.Command;
import dev.weir.protocol.Command.Type;
import dev.weir.scheduler.Event;
import dev.weir.simulator.scenario.PilotPlan;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.scenario.TaskPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The commands that lift every pause, exclusion and limit, so that what remains must come to an end. */
final class Healing {

    private static final int PLENTY = 1_000;

    private final List<Event> commands = new ArrayList<>();
    private final Instant now;

    private Healing(long nowMillis) {
        now = Instant.ofEpochMilli(nowMillis + 1);
    }

    static List<Event> commands(Scenario scenario, long nowMillis) {
        Healing healing = new Healing(nowMillis);
        for (TaskPlan task : scenario.tasks()) {
            healing.add(Type.RESUME, task.task().uid(), null, null, null);
        }
        for (String pool : scenario.options().pools().keySet()) {
            healing.add(Type.POOL_RESUME, null, null, pool, null);
        }
        for (PilotPlan pilot : scenario.pilots()) {
            healing.add(Type.PILOT_INCLUDE, null, null, null, pilot.id());
        }
        Set<String> groups = new TreeSet<>(scenario.options().limits().groups().keySet());
        scenario.datasets().values().forEach(dataset -> dataset.groups().forEach(groups::addAll));
        for (String group : groups) {
            healing.add(Type.LIMIT, null, group, null, null);
        }
        return healing.commands;
    }

    private void add(Type type, String task, String group, String pool, String pilot) {
        Integer limit = group == null ? null : (Integer) PLENTY;
        commands.add(new Event.CommandArrived(new Command(
                "heal" + commands.size(), now, "sim", type, task, null, group, limit, null, null, pool, pilot)));
    }
}
