package dev.weir.engine.interleave;

/**
 * Interleaved weighted round-robin (SPD On-Line Filter, 2.4.5). A cycle has as many rounds as the largest weight; in round r each
 * member with weight ≥ r gives one job, in order of arrival. New members, returning members and members with a new weight join at
 * the next round boundary; at most one job per member and round.
 *
 * <p>A job costs O(1), amortised, for any number of members and any weights. The ring of round r + 1 is the ring of
 * round r without members of weight r, compacted in place during round r. So a visit either gives a job or belongs
 * to a {@code remove}. The base, sorted by arrival, becomes the ring of round 1; each of its members gave a job in the
 * cycle before, or is new. Joiners are sorted and merged, once each (O(log k) for k that join at one boundary). A choice
 * allocates nothing once the arrays have grown. Between choices it keeps at most twice as many members as have come and are ready.
 *
 * <p>Service (Tabatabaee, Le Boudec, Boyer 2020, "Interleaved Weighted Round-Robin: A Network Calculus Analysis"): while
 * two members i, j are both ready, i gets at most {@code w_i} jobs between two jobs of j in different cycles, and between
 * two consecutive jobs of j the other members get at most {@code Σ w_i}.
 */
public final class Iwrr implements Interleave {

    private static final long NEVER = -1;

    private final Roll base = new Roll();
    private final Roll newcomers = new Roll();
    private final Roll ring = new Roll();
    private final Roll joiners = new Roll();
    private int visiting;
    private int kept;
    private int round;
    private long roundNumber;

    @Override
    public String name() {
        return "iwrr";
    }

    @Override
    public void add(Member member) {
        if (member.ready) {
            return;
        }
        member.ready = true;
        member.eligibleRound = roundNumber + 1;
        if (!member.inBase && !member.newcomer) {
            member.newcomer = true;
            if (newcomers.isFull()) {
                newcomers.dropOthers(gone -> gone.newcomer = false);
            }
            newcomers.add(member);
        }
        join(member);
    }

    @Override
    public void remove(Member member) {
        // It stays in the arrays and is dropped when its turn comes.
        member.ready = false;
    }

    @Override
    public void changed(Member member) {
        if (!member.inRing) {
            if (member.ready) {
                join(member);
            }
        } else if (member.weight <= round) {
            // It leaves the next round, even if its weight grows again after that round has begun.
            member.loweredRound = member.loweredRound == NEVER ? roundNumber : member.loweredRound;
        } else if (member.loweredRound == roundNumber) {
            member.loweredRound = NEVER;
        }
    }

    private void leave(Member member) {
        member.inRing = false;
        member.loweredRound = NEVER;
    }

    private void join(Member member) {
        if (!member.inRing && !member.joining) {
            member.joining = true;
            if (joiners.isFull()) {
                joiners.dropOthers(gone -> gone.joining = false);
            }
            joiners.add(member);
        }
    }

    @Override
    public Member next() {
        do {
            Member[] members = ring.members;
            while (visiting < ring.size) {
                Member member = members[visiting++];
                if (!member.ready || member.weight < round && member.loweredRound != roundNumber) {
                    leave(member);
                } else if (member.loweredRound != NEVER && member.loweredRound < roundNumber) {
                    leave(member);
                    join(member);
                } else {
                    if (member.weight > round) {
                        members[kept++] = member;
                    } else {
                        leave(member);
                    }
                    if (member.eligibleRound <= roundNumber) {
                        return member;
                    }
                }
            }
        } while (nextRound() || nextCycle());
        return null;
    }

    /** Number of entries that it keeps in memory. */
    int size() {
        return base.size + newcomers.size + ring.size + joiners.size;
    }

    private boolean nextRound() {
        ring.shrinkTo(kept);
        visiting = 0;
        kept = 0;
        round++;
        roundNumber++;
        if (joiners.size > 0) {
            int joined = 0;
            for (int i = 0; i < joiners.size; i++) {
                Member member = joiners.members[i];
                member.joining = false;
                if (member.ready && member.weight >= round && !member.inRing) {
                    member.inRing = true;
                    joiners.members[joined++] = member;
                }
            }
            joiners.shrinkTo(joined);
            joiners.sort();
            ring.merge(joiners);
            joiners.clear();
        }
        return ring.size > 0;
    }

    private boolean nextCycle() {
        int ready = 0;
        for (int i = 0; i < base.size; i++) {
            Member member = base.members[i];
            if (member.ready) {
                base.members[ready++] = member;
            } else {
                member.inBase = false;
            }
        }
        base.shrinkTo(ready);
        int come = 0;
        for (int i = 0; i < newcomers.size; i++) {
            Member member = newcomers.members[i];
            member.newcomer = false;
            if (member.ready) {
                member.inBase = true;
                newcomers.members[come++] = member;
            }
        }
        newcomers.shrinkTo(come);
        newcomers.sort();
        base.merge(newcomers);
        newcomers.clear();
        ring.ensure(base.size);
        System.arraycopy(base.members, 0, ring.members, 0, base.size);
        ring.size = base.size;
        for (int i = 0; i < ring.size; i++) {
            ring.members[i].inRing = true;
        }
        round = ring.size > 0 ? 1 : 0;
        return ring.size > 0;
    }
}
