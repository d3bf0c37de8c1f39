package dev.weir.scheduler.model;

/** How often one event may do something, so that no event takes long. What is left follows with the next tick. */
public final class Allowance {

    private final int most;
    private long event = -1;
    private int used;

    Allowance(int most) {
        this.most = most;
    }

    /** Whether the event with this number may do it once more; if so, that counts. */
    public boolean take(long number) {
        if (event != number) {
            event = number;
            used = 0;
        }
        if (used == most) {
            return false;
        }
        used++;
        return true;
    }
}
