package dev.weir.simulator.truth;

import java.util.List;

/** What must be true of one pilot, as far as its reports tell. Times are on the clock of beats. */
final class PilotTruth {

    final String id;
    /** As it said last; null before. */
    String host;
    /** Whether we know that its host and its pools are remembered, and not forgotten with it. */
    boolean isSure = true;

    /** In the present event it said for the first time where it is: what it said before that may count first. */
    boolean arrives;

    List<String> pools = List.of();
    boolean toldPools;
    boolean draining;
    /** It counts as alive until then, at least and at most: after a restore it may be remembered as it was before. */
    long surelyUntil;

    long perhapsUntil;
    /** What of {@link #surelyUntil} outlives a restore. */
    long keptUntil;

    PilotTruth(String id) {
        this.id = id;
    }

    PilotTruth copy() {
        PilotTruth copy = new PilotTruth(id);
        copy.host = host;
        copy.isSure = isSure;
        copy.pools = pools;
        copy.toldPools = toldPools;
        copy.draining = draining;
        copy.surelyUntil = surelyUntil;
        copy.perhapsUntil = perhapsUntil;
        copy.keptUntil = keptUntil;
        return copy;
    }

    /** The node whose failures count together: its host, and its own name before that is known. */
    String node() {
        return host == null ? id : host;
    }

    boolean mayBeAt(String node) {
        return node.equals(node()) || !isSure && node.equals(id);
    }

    boolean isSurelyAt(String node) {
        return isSure && node.equals(node());
    }

    boolean isSurelyAlive(long clock) {
        return isSure && clock < surelyUntil;
    }

    boolean mayBeAlive(long clock) {
        return clock < perhapsUntil;
    }
}
