package dev.weir.simulator.world;

import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Rand;

/** Makes the faults that come by the clock: pilots that die and hang, a broker that goes away, redelivers and loses a queue. */
final class Mischief {

    private final World world;
    private final Rand rand;

    Mischief(World world) {
        this.world = world;
        this.rand = Rand.of(world.scenario().seed(), "mischief");
    }

    void plan() {
        long lease = world.scenario().options().pilots().lease().toMillis();
        for (Pilot pilot : world.pilots()) {
            Rand own = Rand.of(world.scenario().seed(), "mischief of " + pilot.id());
            repeat(Fault.PILOT_CRASH, own, 240_000, () -> {
                pilot.die();
                world.time().after((long) own.magnitude(100, 200_000), pilot::join);
            });
            repeat(Fault.PILOT_HANG, own, 300_000, () -> pilot.hang((long) (lease * (0.3 + 2 * own.share()))));
        }
        repeat(Fault.BROKER_OUTAGE, rand, 180_000, () -> world.broker().goAway((long) rand.magnitude(500, 150_000)));
        repeat(Fault.BROKER_REDELIVERY, rand, 60_000, () -> world.weir().redeliver(rand.share() * 0.3));
        Rand mixed = Rand.of(world.scenario().seed(), "mixed up");
        repeat(Fault.GARBAGE, mixed, 20_000, () -> world.weir().mixUp(mixed));
        repeat(Fault.QUEUE_LOSS, rand, 300_000, () -> world.broker().loseJobs());
        Rand clock = Rand.of(world.scenario().seed(), "clock");
        repeat(Fault.CLOCK_STEP, clock, 1_500_000, () -> {
            world.weir().setClock(wrongBy(clock));
            world.time()
                    .after(
                            (long) clock.magnitude(500, 100_000),
                            () -> world.weir().setClock(0));
        });
    }

    /** Mostly ahead; by seconds, minutes or hours, but never so far that what Weir remembers is forgotten. */
    private static long wrongBy(Rand rand) {
        long most = rand.oneOf(60_000L, 1_800_000L, 72 * 3_600_000L);
        return rand.chance(0.7) ? rand.between(1, most) : -rand.between(1, most);
    }

    private void repeat(Fault fault, Rand draws, double meanMillis, Runnable action) {
        if (!world.scenario().has(fault)) {
            return;
        }
        world.time().after(draws.gapMillis(meanMillis / world.scenario().intensity()), () -> {
            if (!world.isHealed()) {
                action.run();
                repeat(fault, draws, meanMillis, action);
            }
        });
    }
}
