package dev.weir.chaos.hostile;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A queue that Weir reads, and how much of the bad input goes there. */
public enum Door {
    TASKS(6),
    COMMANDS(6),
    REPORTS(7),
    /** Only Weir itself may write here; it gets less. */
    PAGES(1),
    /** Only gateways may write here, and in the next two. A message has entries, one of which is bad. */
    ITEMS(2),
    DONE(2),
    ASKS(2);

    private static final String BEFORE_ENTRY =
            "{\"type\":\"request\",\"gateway\":\"" + Templates.MARK + "gateway\",\"entries\":[";
    private static final String AFTER_ENTRY = "]}";

    private final int share;

    Door(int share) {
        this.share = share;
    }

    /** Parts of all, 26 together. */
    int share() {
        return share;
    }

    /** The last part of the option {@code weir.amqp.queue.NAME}. */
    public String queue() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean hasEntries() {
        return compareTo(ITEMS) >= 0;
    }

    /** The message with what the templates give, which for some doors is one of its entries. */
    byte[] whole(byte[] given) {
        if (!hasEntries()) {
            return given;
        }
        byte[] before = BEFORE_ENTRY.getBytes(StandardCharsets.US_ASCII);
        byte[] after = AFTER_ENTRY.getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[before.length + given.length + after.length];
        System.arraycopy(before, 0, whole, 0, before.length);
        System.arraycopy(given, 0, whole, before.length, given.length);
        System.arraycopy(after, 0, whole, before.length + given.length, after.length);
        return whole;
    }
}
