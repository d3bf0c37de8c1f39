package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import java.time.Duration;

/**
 * How Weir observes pilots and nodes.
 *
 * @param heartbeat time between two heartbeats of a pilot, and between two beats of Weir to itself; 15 s
 * @param lease how long a silent pilot keeps its job, on the lease clock: at least two heartbeats; 60 s
 * @param setAsideAfter failures in a row by the system's fault ({@link ErrorClass#SYSTEM}), of any task, after which a node is set
 *     aside; 5. 0 switches this off
 * @param setAside how long a node is set aside before it is tried again with one job; 5 min
 * @param maxPilots most live pilots, most silent pilots that a command has drained or excluded, and most failing nodes that are remembered; 200,000
 */
public record PilotOptions(Duration heartbeat, Duration lease, int setAsideAfter, Duration setAside, int maxPilots) {

    public PilotOptions {
        Range.check("heartbeat", heartbeat, Duration.ofMillis(1), Duration.ofHours(1));
        // A pilot that is late by one heartbeat is not lost.
        Range.check("lease", lease, heartbeat.multipliedBy(2), Duration.ofDays(30));
        Range.check("set-aside-after", setAsideAfter, 0, 1_000_000);
        Range.check("set-aside", setAside, Duration.ofMillis(1), Duration.ofDays(30));
        Range.check("max-pilots", maxPilots, 1, 10_000_000);
    }

    public static PilotOptions defaults() {
        return new PilotOptions(Duration.ofSeconds(15), Duration.ofSeconds(60), 5, Duration.ofMinutes(5), 200_000);
    }

    public PilotOptions withLease(Duration newHeartbeat, Duration newLease) {
        return new PilotOptions(newHeartbeat, newLease, setAsideAfter, setAside, maxPilots);
    }

    public PilotOptions withSetAside(int after, Duration howLong) {
        return new PilotOptions(heartbeat, lease, after, howLong, maxPilots);
    }
}
