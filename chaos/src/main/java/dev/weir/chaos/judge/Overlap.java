package dev.weir.chaos.judge;

import java.util.ArrayList;
import java.util.List;

/** Finds leases that were live at once although a bound forbids it. */
public final class Overlap {

    private Overlap() {}

    /**
     * A violation of the rule for each lease that began while {@code most} others were live.
     *
     * @param name of what has the bound: a key or a group
     * @param leases the earliest first; one that was over before its worker ended it does not count
     * @param disturbances after which Weir may have forgotten a lease
     */
    public static List<Violation> judge(
            String rule, String name, int most, List<SeenLease> leases, List<Disturbance> disturbances) {
        List<Violation> found = new ArrayList<>();
        List<SeenLease> live = new ArrayList<>();
        for (SeenLease lease : leases) {
            if (lease.reply() == SeenLease.Reply.TAKEN) {
                live.removeIf(earlier -> earlier.endAt() <= lease.at());
                live.add(lease);
                if (live.size() > most
                        && !Disturbance.touches(disturbances, live.get(0).at(), lease.at())) {
                    found.add(
                            new Violation(rule, null, name, live.size() + " at once, and at most " + most + " may be"));
                }
            }
        }
        return found;
    }
}
