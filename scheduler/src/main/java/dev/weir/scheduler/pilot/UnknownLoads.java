package dev.weir.scheduler.pilot;

import dev.weir.scheduler.model.PilotLoad;
import java.util.HashMap;
import java.util.Map;

/** What pilots that are not known have started: more than may be remembered, or forgotten before their jobs were lost. */
final class UnknownLoads {

    private final int pools;
    private final Map<String, PilotLoad> byPilot = new HashMap<>();

    /** @param pools how many pools there are */
    UnknownLoads(int pools) {
        this.pools = pools;
    }

    /** The load of a pilot that is not known; a new one when it has started nothing. */
    PilotLoad of(String pilotId) {
        return byPilot.computeIfAbsent(pilotId, unknown -> new PilotLoad(pools));
    }

    /** The same, for a pilot that is known from now on. */
    PilotLoad take(String pilotId) {
        PilotLoad load = byPilot.remove(pilotId);
        return load == null ? new PilotLoad(pools) : load;
    }

    /** A pilot is not known any more. */
    void keep(String pilotId, PilotLoad load) {
        if (!load.isNone()) {
            byPilot.put(pilotId, load);
        }
    }

    /** A job of a pilot is over, known or not. */
    void dropIfNone(String pilotId, PilotLoad load) {
        if (!byPilot.isEmpty() && load.isNone()) {
            byPilot.remove(pilotId, load);
        }
    }
}
