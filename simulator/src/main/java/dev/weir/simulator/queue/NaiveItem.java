package dev.weir.simulator.queue;

import dev.weir.protocol.queue.ShownItem.State;
import java.util.List;
import java.util.Objects;

/** An item of a {@link NaiveQueue}. */
final class NaiveItem implements Cloneable {

    final String key;
    /** By which items of equal priority are ordered. */
    long number;
    /** Whether the number is known: of several that were given in one event, the order may be another. */
    boolean sure = true;

    Wanted wanted;
    /** Null for none. */
    Wanted successor;
    /** Where it is: not finished, not removed. */
    State state;

    boolean removed;
    /** A push has met it since its last lease. */
    boolean pushedAgain;
    /** A purge did not take it: it is younger than all when it waits again. */
    boolean outlived;

    final long createdAt;
    /** When it may start, of one that is put off; when it died. */
    long at;

    int priority;
    /** Somebody has asked for its result. */
    boolean asked;
    /** The date of this run; 0 for none. */
    long base;
    /** The pause before it, of a rule that adapts, in seconds; 0 for none yet. */
    int pauseS;
    /** Of the last result of its key; null for none. */
    String digest;

    long coolUntil;
    int failures;
    int lost;
    int releases;
    int leases;
    /** Of the present lease, or the last one. */
    String lease = "";

    long leaseUntil;
    long leaseMost;

    NaiveItem(String key, long number, Wanted wanted, long createdAt) {
        this.key = key;
        this.number = number;
        this.wanted = wanted;
        this.createdAt = createdAt;
    }

    NaiveItem copy() {
        try {
            return (NaiveItem) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean is(State other) {
        return state == other;
    }

    /** Its failures count no more. */
    void revive() {
        failures = 0;
        lost = 0;
        releases = 0;
        coolUntil = 0;
    }

    boolean isLive() {
        return state != State.DEAD;
    }

    String owner() {
        return wanted.item().owner();
    }

    String kind() {
        return wanted.item().kind();
    }

    List<String> groups() {
        return wanted.item().groups();
    }

    /** As it was when it last began to wait. */
    int priority() {
        return priority;
    }

    /** Whether its key runs again, or that of its successor. */
    boolean recurs() {
        return wanted.recurs() || successor != null && successor.recurs();
    }

    long size() {
        return key.length() + wanted.size() + (successor == null ? 0 : successor.size());
    }

    boolean isOfSameShare(NaiveItem other) {
        return owner().equals(other.owner()) && kind().equals(other.kind());
    }

    /** Whether a dead one has died after a time, and not in the future: then the clock was wrong. */
    boolean hasFailedSince(long time, long now) {
        return at > time && at <= now;
    }

    /** The date of this run. */
    long date() {
        return base == 0 ? Math.max(createdAt, wanted.notBefore()) : base;
    }

    /** A push changes what it wants while it waits: by another rule it begins anew. */
    void take(Wanted other) {
        boolean goesOn = Objects.equals(wanted.again(), other.again());
        base = goesOn ? base : 0;
        pauseS = goesOn ? pauseS : 0;
        digest = goesOn ? digest : null;
        wanted = other;
    }

    /** It may start earlier than its date, by which the next ones are still counted. */
    void startsAt(long notBefore) {
        if (wanted.recurs() && notBefore < wanted.notBefore()) {
            base = date();
        }
    }

    /** It runs after another item of its key that a push has met: by the same rule it goes on from there. */
    void follows(NaiveItem before) {
        boolean goesOn = !before.removed && wanted.recurs() && wanted.again().equals(before.wanted.again());
        base = goesOn ? before.date() : 0;
        pauseS = goesOn ? before.pauseS : 0;
        digest = goesOn ? before.digest : null;
    }

    /** By priority, then by age where that is known. */
    boolean isBetterThan(NaiveItem other) {
        return priority() != other.priority()
                ? priority() < other.priority()
                : sure && other.sure && number < other.number;
    }

    @Override
    public String toString() {
        return key + " (" + state + ", " + kind() + " of " + owner() + ", priority " + priority() + ", number " + number
                + ", groups " + groups() + ", lease " + lease + ")";
    }
}
