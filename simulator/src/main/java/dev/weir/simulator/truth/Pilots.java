package dev.weir.simulator.truth;

import dev.weir.protocol.Heartbeat;
import dev.weir.scheduler.options.GroupLimit;
import dev.weir.scheduler.options.LimitOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which pilots live, where, and what they serve, as far as their reports tell. */
final class Pilots {

    private final State state;

    Pilots(State state) {
        this.state = state;
    }

    /** After a restore only what was written is sure. */
    void restored() {
        for (PilotTruth pilot : state.pilots.values()) {
            pilot.surelyUntil = Math.min(pilot.surelyUntil, pilot.keptUntil);
            pilot.isSure &= pilot.toldPools;
        }
    }

    /** A pilot reports, and lives. */
    void heard(Heartbeat heartbeat) {
        PilotTruth pilot = state.pilots.computeIfAbsent(heartbeat.pilotId(), PilotTruth::new);
        pilot.arrives = pilot.host == null && !pilot.pools.isEmpty();
        pilot.host = heartbeat.node().host();
        pilot.isSure = !pilot.arrives;
        Set<String> pools = new HashSet<>(heartbeat.pools());
        pools.add(heartbeat.pool());
        pilot.pools = List.copyOf(pools);
        pilot.toldPools = true;
        pilot.draining = heartbeat.state() == dev.weir.protocol.PilotState.DRAINING;
        renew(pilot);
        pilot.keptUntil = pilot.surelyUntil;
    }

    /** @param stranger it may be taken for a pilot or not */
    void heard(String id, String pool, boolean stranger) {
        PilotTruth pilot = state.pilots.computeIfAbsent(id, PilotTruth::new);
        // If it was forgotten in between, it is known by its name only.
        pilot.isSure &= !stranger && (pilot.pools.isEmpty() || pilot.isSurelyAlive(state.beatClock));
        pilot.pools = pilot.toldPools ? pilot.pools : List.of(pool);
        renew(pilot);
    }

    /** Whether a pool surely has one that takes work. */
    boolean surelyServe(PoolTruth pool) {
        return state.pilots.values().stream()
                .anyMatch(pilot -> pilot.toldPools
                        && pilot.pools.contains(pool.name)
                        && pilot.isSurelyAlive(state.beatClock)
                        && !pilot.draining
                        && !state.unwanted.contains(pilot.id)
                        && isTaken(pilot));
    }

    private boolean isTaken(PilotTruth pilot) {
        NodeTruth node = state.nodes.get(pilot.node());
        return node == null || node.perhapsUntil == 0;
    }

    /** Whether a pool may give nothing, because it may have no pilots and groups are limited. */
    boolean mayRest(PoolTruth pool) {
        return state.scenario.options().lanes() == 1 && mayBeLimited() && !surelyServe(pool);
    }

    private boolean mayBeLimited() {
        LimitOptions limits = state.scenario.options().limits();
        return !limits.groups().isEmpty()
                || limits.rules().stream().anyMatch(rule -> rule.limit() != null)
                || state.groups.values().stream().anyMatch(group -> !group.limit.equals(GroupLimit.NONE));
    }

    private void renew(PilotTruth pilot) {
        pilot.surelyUntil = state.beatClock + state.leaseMillis();
        // How long it is since the beat before the first one nobody knows.
        pilot.perhapsUntil = pilot.surelyUntil + (state.beatAt < 0 ? state.heartbeatMillis() : 0);
    }

    /** After the event: forgets those that were silent for a lease. */
    void end() {
        state.pilots.values().removeIf(pilot -> {
            boolean gone = !pilot.mayBeAlive(state.beatClock);
            pilot.isSure |= pilot.arrives;
            pilot.arrives = false;
            pilot.isSure &= !gone;
            return gone && !state.unwanted.contains(pilot.id);
        });
    }
}
