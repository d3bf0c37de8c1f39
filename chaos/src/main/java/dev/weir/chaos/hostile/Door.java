package dev.weir.chaos.hostile;

import java.util.Locale;

/** A queue that Weir reads, and how much of the bad input goes there. */
public enum Door {
    TASKS(6),
    COMMANDS(6),
    REPORTS(7),
    /** Only Weir itself may write here; it gets less. */
    PAGES(1);

    private final int share;

    Door(int share) {
        this.share = share;
    }

    /** Parts of all, 20 together. */
    int share() {
        return share;
    }

    /** The last part of the option {@code weir.amqp.queue.NAME}. */
    public String queue() {
        return name().toLowerCase(Locale.ROOT);
    }
}
