package dev.weir.simulator.world;

import dev.weir.protocol.Beat;
import dev.weir.protocol.PageRequest;
import dev.weir.protocol.Registration;
import dev.weir.protocol.TaskEvent;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Rand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The process that hosts the core, as the Flink job does: one core to a lane, sources that acknowledge at checkpoints, effects that leave at once,
 * effects that leave when their checkpoint is complete, one timer, and a restart from the last complete checkpoint.
 */
final class Weir {

    private record Checkpoint(List<Lane.Snapshot> lanes, List<Object> toCommit) {}

    /** Each lane has a tick after so much running time, whatever the clock says. */
    private static final long WAKE_MILLIS = 60_000;

    private final World world;
    private final Rand rand;
    /** Few are longer than waits of commands, and than what a broker that is away may last. */
    private final Rand outages;

    private final Routing routing;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Inbound> unacknowledged = new ArrayList<>();
    private final List<Inbound> waiting = new ArrayList<>();
    private final List<PageRequest> reading = new ArrayList<>();
    private final List<Runnable> outbox = new ArrayList<>();
    private List<Object> toCommit = new ArrayList<>();
    private Checkpoint last;
    private boolean up = true;
    private int starts;
    private long events;
    private long stopAfter = Long.MAX_VALUE;
    /** When all that waited for the last restore has been read. */
    private long allReadAt = -1;

    /** By how much the clock of its machine is ahead of the world's, in milliseconds. */
    private long ahead;

    Weir(World world) {
        this.world = world;
        this.rand = Rand.of(world.scenario().seed(), "weir");
        this.outages = Rand.of(world.scenario().seed(), "outages");
        int count = world.scenario().options().lanes();
        this.routing = new Routing(count);
        for (int number = 0; number < count; number++) {
            lanes.add(new Lane(world, number));
        }
        this.last = new Checkpoint(snapshots(), List.of());
    }

    /** Starts with nothing in state. */
    void begin() {
        start();
        scheduleCheckpoint();
    }

    private List<Lane.Snapshot> snapshots() {
        return lanes.stream().map(Lane::snapshot).toList();
    }

    /** The run is over. */
    void finish() {
        lanes.forEach(Lane::finish);
    }

    long events() {
        return events;
    }

    long window(String pool) {
        return lanes.stream().mapToLong(lane -> lane.window(pool)).sum();
    }

    private void start() {
        lanes.forEach(Lane::start);
        planStop();
        apply(new Event.Tick());
    }

    private void planStop() {
        stopAfter = world.scenario().has(Fault.RESTORE)
                ? events + rand.gapMillis(700 / world.scenario().intensity())
                : Long.MAX_VALUE;
    }

    void receive(Inbound message) {
        if (!up) {
            waiting.add(message);
            return;
        }
        if (isBeat(message)
                && world.time().now() <= allReadAt
                && world.scenario().beatsAreLast()) {
            world.time().at(allReadAt + 1, () -> receive(message));
        } else if (message instanceof Inbound.PageAsk ask) {
            read(ask.request());
        } else {
            unacknowledged.add(message);
            apply(((Inbound.Message) message).event());
        }
    }

    private static boolean isBeat(Inbound message) {
        return message instanceof Inbound.Message sent
                && sent.event() instanceof Event.ReportArrived arrived
                && arrived.report() instanceof Beat;
    }

    /** A message that is among the unacknowledged already; if Weir has been restored since, it came again by that. */
    private void receiveAgain(Inbound message) {
        if (up && message instanceof Inbound.Message sent) {
            apply(sent.event());
        }
    }

    private void read(PageRequest ask) {
        int start = starts;
        reading.add(ask);
        world.dsm().read(ask, answer -> {
            if (start == starts && up) {
                reading.remove(ask);
                unacknowledged.add(new Inbound.PageAsk(ask));
                apply(answer);
            }
        });
    }

    private long clock() {
        return world.time().now() + ahead;
    }

    /** The clock of its machine is set. Ticks that are planned come when they were planned for. */
    void setClock(long aheadMillis) {
        if (aheadMillis == ahead) {
            return;
        }
        world.trace("weir", "has its clock set", aheadMillis, "ms ahead");
        ahead = aheadMillis;
        int start = starts;
        world.time().after(WAKE_MILLIS, () -> {
            for (Lane lane : lanes) {
                if (up && start == starts) {
                    apply(lane, new Event.Tick(), clock());
                }
            }
        });
    }

    private void apply(Event event) {
        long now = clock();
        world.trace("event", event, "", "");
        int number = routing.of(event);
        int start = starts;
        for (Lane lane : lanes) {
            if ((number == Routing.ALL || number == lane.number) && start == starts) {
                apply(lane, event, now);
            }
        }
    }

    private void apply(Lane lane, Event event, long now) {
        List<Effect> effects = lane.apply(event, now);
        events++;
        effects.forEach(this::carryOut);
        planTick(lane);
        if (events >= stopAfter && !world.isHealed()) {
            stop();
        }
    }

    private void planTick(Lane lane) {
        long now = world.time().now();
        long deadline = lane.nextDeadlineMillis();
        if (deadline == Long.MAX_VALUE || deadline - ahead >= lane.tickAt && lane.tickAt >= now) {
            return;
        }
        int start = starts;
        long at = Math.max(now, deadline - ahead) + (rand.chance(0.1) ? rand.between(0L, 200L) : 0);
        lane.tickAt = at;
        world.time().at(at, () -> {
            if (start == starts && up && lane.tickAt == at) {
                lane.ticks(at);
                world.trace("event", "tick", lane.number, "");
                apply(lane, new Event.Tick(), clock());
            }
        });
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.Register register) {
            toCommit.add(register.registration());
        } else if (effect instanceof Effect.Announce announce) {
            if (announce.event().state().isTerminal()) {
                toCommit.add(announce.event());
            } else {
                world.outside().announced(announce.event());
            }
        } else if (effect instanceof Effect.ShowRow show) {
            world.outside().shown(show.row());
        } else if (effect instanceof Effect.SendJob send) {
            leave(() -> world.broker().publish(send.pool(), send.job()));
        } else if (effect instanceof Effect.SendNotice notice) {
            leave(() -> world.notice(notice.pilotId(), notice.notice()));
        } else if (effect instanceof Effect.AskPage page) {
            leave(() -> world.broker().toWeir(new Inbound.PageAsk(page.request())));
        } else if (effect instanceof Effect.SendBeat beat) {
            leave(() -> world.broker().toWeir(new Inbound.Message(new Event.ReportArrived(beat.beat()))));
        }
    }

    /** A message leaves at once; if Weir stops before the broker has it, it may be lost, for no checkpoint covers it yet. */
    private void leave(Runnable sending) {
        if (!world.broker().isUp()) {
            outbox.add(sending);
            return;
        }
        int start = starts;
        boolean frail = rand.chance(0.3);
        world.time().after(world.broker().latency(), () -> {
            if (frail && start != starts) {
                return;
            }
            if (world.broker().isUp()) {
                sending.run();
            } else if (start == starts) {
                outbox.add(sending);
            }
        });
    }

    void brokerIsBack() {
        if (!up) {
            return;
        }
        List<Runnable> sendings = new ArrayList<>(outbox);
        outbox.clear();
        sendings.forEach(this::leave);
        redeliver(world.strikes(Fault.BROKER_REDELIVERY, rand, 0.7) ? rand.share() : 0);
    }

    /**
     * A pilot mixes up two jobs, one of them over. As this must change nothing, it is not counted as an event either, and no tick is
     * planned after it: else it would change what else happens under the seed.
     */
    void mixUp(Rand draws) {
        Lane lane = lanes.get(draws.between(0, lanes.size() - 1));
        Event event = up ? lane.mixedUp(draws) : null;
        if (event != null) {
            world.trace("event", event, "", "");
            lane.apply(event, clock()).forEach(this::carryOut);
        }
    }

    /** The broker sends again what was not acknowledged yet, in some order. */
    void redeliver(double share) {
        for (Inbound message : unacknowledged) {
            if (rand.chance(share)) {
                world.time().after(rand.between(0, 2_000), () -> receiveAgain(message));
            }
        }
    }

    private void scheduleCheckpoint() {
        world.time().after(world.scenario().checkpointMillis(), () -> {
            if (up && world.broker().isUp()) {
                checkpoint();
            }
            scheduleCheckpoint();
        });
    }

    private void checkpoint() {
        // Copies cost a fifth of a run, and none is needed once nothing stops Weir any more.
        boolean needed = stopAfter != Long.MAX_VALUE && !world.isHealed();
        Checkpoint next = new Checkpoint(needed ? snapshots() : List.of(), toCommit);
        toCommit = new ArrayList<>();
        int start = starts;
        boolean fails = world.strikes(Fault.CHECKPOINT_FAILURE, rand, 0.3);
        int covered = unacknowledged.size();
        world.time().after(rand.between(100, 2_500), () -> {
            if (start != starts || !up) {
                return;
            }
            if (fails || !world.broker().isUp()) {
                next.toCommit().addAll(toCommit);
                toCommit = next.toCommit();
                return;
            }
            last = next;
            unacknowledged.subList(0, covered).clear();
            next.toCommit().forEach(this::commit);
        });
    }

    private void commit(Object effect) {
        if (effect instanceof Registration registration) {
            world.outside().register(registration);
        } else {
            world.outside().announced((TaskEvent) effect);
        }
    }

    /** Weir dies after the event that it just applied, and comes back some time later. */
    void stop() {
        world.trace("weir", "stops", "", "");
        up = false;
        starts++;
        outbox.clear();
        long away = rand.between(50, 20_000);
        boolean isLong = outages.chance(0.03);
        world.time().after(isLong ? outages.between(600_000, 7_200_000) : away, this::restore);
    }

    private void restore() {
        world.trace("weir", "restores", "", "");
        up = true;
        starts++;
        lanes.forEach(lane -> lane.restore(last.lanes().get(lane.number)));
        Map<String, Long> known = new HashMap<>();
        lanes.forEach(lane -> lane.known(known));
        world.outside().promises().restored(known);
        toCommit = new ArrayList<>();
        if (rand.chance(0.3)) {
            last.toCommit().forEach(this::commit);
        }
        List<Inbound> again = new ArrayList<>(unacknowledged);
        reading.forEach(ask -> again.add(new Inbound.PageAsk(ask)));
        reading.clear();
        again.addAll(waiting);
        waiting.clear();
        unacknowledged.clear();
        rand.shuffle(again);
        start();
        int spread = rand.oneOf(0, 500, 5_000);
        allReadAt = world.time().now() + spread;
        for (Inbound message : again) {
            world.time().after(rand.between(0, spread), () -> receive(message));
        }
    }
}
