package dev.weir.chaos.judge;

import java.util.ArrayList;
import java.util.List;

/**
 * Compares what came of an item with what must: what was accepted ends as it should, and one worker at a time has it. After a crash an
 * item may run twice, because Weir forgets what it answered since its last checkpoint; at no other time.
 */
public final class ItemJudge {

    private final SeenItem item;
    private final boolean bad;
    private final List<Disturbance> disturbances;
    private final List<Violation> found = new ArrayList<>();

    private ItemJudge(SeenItem item, boolean bad, List<Disturbance> disturbances) {
        this.item = item;
        this.bad = bad;
        this.disturbances = disturbances;
    }

    /**
     * All violations of one item.
     *
     * @param bad whether all its attempts fail, so that it must be dead
     */
    public static List<Violation> judge(SeenItem item, boolean bad, List<Disturbance> disturbances) {
        ItemJudge judge = new ItemJudge(item, bad, disturbances);
        judge.outcome();
        judge.leases();
        return List.copyOf(judge.found);
    }

    private void outcome() {
        boolean finished = item.leases().stream().anyMatch(SeenLease::mayHaveFinished);
        boolean dead = item.state().equals(SeenItem.DEAD);
        if (!dead && !item.state().equals(SeenItem.GONE)) {
            violation("item not over", "it is " + item.state());
        } else if (!dead && !finished) {
            violation("item lost", "the queue does not know it, and no worker has finished it");
        } else if (dead != bad) {
            violation("wrong outcome of an item", dead ? "dead, although workers finish it" : "not dead");
        }
    }

    private void leases() {
        for (int i = 0; i < item.leases().size(); i++) {
            SeenLease one = item.leases().get(i);
            for (SeenLease next : item.leases().subList(i + 1, item.leases().size())) {
                boolean disturbed = Disturbance.touches(disturbances, one.at(), next.at());
                if (one.endAt() > next.at() && !disturbed) {
                    violation("two leases", "a second worker had it before the first one had ended");
                }
                boolean both = isTaken(one) && isTaken(next);
                if (both && item.pushedOnce() && !disturbed) {
                    violation("item ran twice", "two results of it were taken, without any crash");
                }
            }
        }
    }

    private static boolean isTaken(SeenLease lease) {
        return lease.finished() && lease.reply() == SeenLease.Reply.TAKEN;
    }

    private void violation(String rule, String text) {
        found.add(new Violation(rule, null, item.key(), text));
    }
}
