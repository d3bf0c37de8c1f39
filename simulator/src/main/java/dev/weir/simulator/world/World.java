package dev.weir.simulator.world;

import dev.weir.protocol.Notice;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.simulator.invariant.Outside;
import dev.weir.simulator.invariant.Violation;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.PilotPlan;
import dev.weir.simulator.scenario.Rand;
import dev.weir.simulator.scenario.Scenario;
import dev.weir.simulator.scenario.Sending;
import dev.weir.simulator.scenario.TaskPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Everything around the core and the core itself, in virtual time. Faults happen until the scenario's time for them is over;
 * then the world heals, and every task must close.
 */
public final class World {

    /** After the world has healed some job must end, and at last every task close, within this long, in virtual milliseconds. */
    static final long PATIENCE_MILLIS = 10 * 3_600_000L;

    /** Events after which a run is said not to end. */
    static final long MOST_EVENTS = 2_000_000;

    private final Scenario scenario;
    private final Tamper tamper;
    private final Consumer<String> trace;
    private final VirtualTime time = new VirtualTime(Scenario.START_MILLIS);
    private final Outside outside;
    private final Programs programs;
    private final Broker broker;
    private final Dsm dsm;
    private final List<Pilot> pilots = new ArrayList<>();
    private final Weir weir;
    private boolean healed;

    /** @param trace takes a line for everything that happens; null for none */
    public World(Scenario scenario, Tamper tamper, Consumer<String> trace) {
        this.scenario = scenario;
        this.tamper = tamper;
        this.trace = trace;
        this.outside = new Outside(scenario);
        AttemptOptions attempts = scenario.options().attempts();
        this.programs = new Programs(
                scenario.seed(),
                scenario.tasks(),
                attempts.jobTimeout().plus(attempts.attemptSlack()).toMillis(),
                scenario.has(Fault.JOB_FAILURE));
        this.broker = new Broker(this);
        this.dsm = new Dsm(this);
        for (PilotPlan plan : scenario.pilots()) {
            pilots.add(new Pilot(this, plan));
        }
        this.weir = new Weir(this);
    }

    /** Runs until every task has closed. Throws {@link Violation} when something is not as it must be. */
    public void run() {
        try {
            plan();
            long giveUp = Scenario.START_MILLIS + scenario.faultsUntilMillis() + PATIENCE_MILLIS;
            long ended = 0;
            long lookAgain = 0;
            while (time.step()) {
                if (healed && weir.events() >= lookAgain) {
                    lookAgain = weir.events() + 16;
                    if (outside.isComplete()) {
                        break;
                    }
                }
                if (time.now() > giveUp && outside.jobsEnded() > ended) {
                    ended = outside.jobsEnded();
                    giveUp = time.now() + PATIENCE_MILLIS;
                }
                if (time.now() > giveUp || weir.events() > MOST_EVENTS) {
                    throw new Violation("after the world has healed every task ends", "not ended: " + outside.open());
                }
            }
            weir.finish();
            outside.finish();
        } catch (Violation e) {
            throw e.at(time.now() - Scenario.START_MILLIS, weir.events());
        }
    }

    /**
     * Runs for so long, whatever is still open then, and looks at the world at regular times.
     *
     * @param observer is told the use of the pool's pilots so far and the length of its queue
     */
    public void observe(String pool, long millis, long everyMillis, Consumer<Observation> observer) {
        plan();
        time.after(everyMillis, () -> look(pool, everyMillis, observer));
        while (time.now() < Scenario.START_MILLIS + millis && time.step()) {
            // everything happens in the steps
        }
    }

    private void look(String pool, long everyMillis, Consumer<Observation> observer) {
        long busy = 0;
        long able = 0;
        for (Pilot pilot : pilots) {
            busy += pilot.busyMillis(time.now());
            able += pilot.ableMillis(time.now());
        }
        observer.accept(new Observation(
                time.now() - Scenario.START_MILLIS, busy, able, broker.queued(pool), weir.window(pool)));
        time.after(everyMillis, () -> look(pool, everyMillis, observer));
    }

    private void plan() {
        weir.begin();
        for (TaskPlan plan : scenario.tasks()) {
            time.after(plan.sendAtMillis(), () -> tell(new Event.TaskArrived(plan.task())));
        }
        for (Sending sending : scenario.sendings()) {
            time.after(sending.atMillis(), () -> tell(sending.event()));
        }
        for (int i = 0; i < pilots.size(); i++) {
            Pilot pilot = pilots.get(i);
            time.after(scenario.pilots().get(i).joinAtMillis(), pilot::join);
        }
        new Mischief(this).plan();
        time.after(scenario.faultsUntilMillis(), this::heal);
    }

    private void heal() {
        trace("world", "heals", "", "");
        healed = true;
        weir.setClock(0);
        Healing.commands(scenario, time.now()).forEach(this::tell);
        pilots.forEach(Pilot::join);
    }

    void tell(Event event) {
        broker.toWeir(new Inbound.Message(event));
    }

    void notice(String pilotId, Notice notice) {
        for (Pilot pilot : pilots) {
            if (pilot.isAlive() && pilot.id().equals(pilotId)) {
                pilot.hear(notice);
            }
        }
    }

    /** Whether a fault happens now, given how likely it is at average intensity. */
    boolean strikes(Fault fault, Rand rand, double likely) {
        return rand.chance(likely * scenario.intensity()) && !healed && scenario.has(fault);
    }

    boolean isTraced() {
        return trace != null;
    }

    void trace(String who, Object what, Object which, Object more) {
        if (trace != null) {
            trace.accept(String.format(
                    "%10.3f %s %s %s %s", (time.now() - Scenario.START_MILLIS) / 1000.0, who, what, which, more));
        }
    }

    public long events() {
        return weir.events();
    }

    Scenario scenario() {
        return scenario;
    }

    Tamper tamper() {
        return tamper;
    }

    VirtualTime time() {
        return time;
    }

    Outside outside() {
        return outside;
    }

    Programs programs() {
        return programs;
    }

    Broker broker() {
        return broker;
    }

    Dsm dsm() {
        return dsm;
    }

    List<Pilot> pilots() {
        return pilots;
    }

    Weir weir() {
        return weir;
    }

    boolean isHealed() {
        return healed;
    }
}
