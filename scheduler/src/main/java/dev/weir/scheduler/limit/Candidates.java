package dev.weir.scheduler.limit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Those who asked for something that one has at a time, and did not get it. Who has waited longest goes first: it would else be given to
 * whoever asks at the right moment, and with start windows that can be the same one each time. All groups have the same order, so these
 * do not wait for each other.
 */
final class Candidates {

    private record Candidate(Claimant waiter, long until) {}

    private final TreeMap<Long, Candidate> byTicket = new TreeMap<>();

    /** Whether one stands here that has waited longer. Those whose time is over when they come first are thrown out: they may not ask again. */
    boolean hasBefore(Claimant waiter, long nowMillis) {
        Map.Entry<Long, Candidate> first = byTicket.firstEntry();
        while (first != null && first.getValue().until <= nowMillis) {
            byTicket.pollFirstEntry();
            first = byTicket.firstEntry();
        }
        return first != null && first.getKey() < waiter.ticket();
    }

    void add(Claimant waiter, long untilMillis) {
        byTicket.put(waiter.ticket(), new Candidate(waiter, untilMillis));
    }

    void remove(Claimant waiter) {
        byTicket.remove(waiter.ticket());
    }

    /** Sends all away, here and elsewhere. */
    void giveBack(long nowMillis) {
        for (Candidate candidate : List.copyOf(byTicket.values())) {
            candidate.waiter.giveBack(nowMillis);
        }
    }
}
