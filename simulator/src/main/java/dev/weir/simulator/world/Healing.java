package dev.weir.simulator.world;

import dev.weir.protocol.Command;
import dev.weir.protocol.Command.Type;
import dev.weir.scheduler.api.Event;
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
    private static final String BY = "sim";

    private final List<Event> commands = new ArrayList<>();
    private final Instant now;

    private Healing(long nowMillis) {
        now = Instant.ofEpochMilli(nowMillis + 1);
    }

    static List<Event> commands(Scenario scenario, long nowMillis) {
        Healing healing = new Healing(nowMillis);
        for (TaskPlan task : scenario.tasks()) {
            healing.add(Command.ofTask(
                    healing.nextId(), healing.now, BY, Type.RESUME, task.task().uid()));
        }
        for (String pool : scenario.options().pools().keySet()) {
            healing.add(Command.ofPool(healing.nextId(), healing.now, BY, Type.POOL_RESUME, pool));
        }
        for (PilotPlan pilot : scenario.pilots()) {
            healing.add(Command.ofPilot(healing.nextId(), healing.now, BY, Type.PILOT_INCLUDE, pilot.id()));
        }
        Set<String> groups = new TreeSet<>(scenario.options().limits().groups().keySet());
        scenario.datasets().values().forEach(dataset -> dataset.groups().forEach(groups::addAll));
        for (String group : groups) {
            healing.add(Command.limit(healing.nextId(), healing.now, BY, group, PLENTY, null, null));
        }
        return healing.commands;
    }

    private String nextId() {
        return "heal" + commands.size();
    }

    private void add(Command command) {
        commands.add(new Event.CommandArrived(command));
    }
}
