package dev.weir.pilot;

import dev.weir.protocol.Result.Outcome;
import java.util.EnumMap;
import java.util.Map;

/** Counts how jobs ended. Safe for use from many threads. */
final class Tally {

    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    private long rejected;

    synchronized void add(Outcome outcome) {
        outcomes.merge(outcome, 1L, Long::sum);
    }

    synchronized void addRejected() {
        rejected++;
    }

    synchronized long jobs() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized PilotSummary summary(String pilotId, long unconfirmed, String reason) {
        return new PilotSummary(
                pilotId,
                jobs(),
                of(Outcome.FINISHED),
                of(Outcome.FAILED),
                of(Outcome.KILLED),
                of(Outcome.CANCELLED),
                rejected,
                unconfirmed,
                reason);
    }

    private long of(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }
}
