package dev.weir.scheduler.limit;

/** Parties in a row, linked through themselves; one is in one row at most. */
final class Parties {

    private Party first;
    private Party last;

    Party first() {
        return first;
    }

    void addFirst(Party party) {
        party.list = this;
        party.after = first;
        if (first == null) {
            last = party;
        } else {
            first.before = party;
        }
        first = party;
    }

    void addLast(Party party) {
        party.list = this;
        party.before = last;
        if (last == null) {
            first = party;
        } else {
            last.after = party;
        }
        last = party;
    }

    void remove(Party party) {
        if (party.before == null) {
            first = party.after;
        } else {
            party.before.after = party.after;
        }
        if (party.after == null) {
            last = party.before;
        } else {
            party.after.before = party.before;
        }
        party.list = null;
        party.before = null;
        party.after = null;
    }
}
