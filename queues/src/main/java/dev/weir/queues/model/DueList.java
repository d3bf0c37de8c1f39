package dev.weir.queues.model;

/**
 * The keys of which something is due in a minute or, if that is far away, on a day. The keys are in state.
 *
 * <p>Its name is the time at which it begins, in milliseconds since 1970, and one more for a day.
 */
public final class DueList {

    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;
    /** What is due later goes to the list of a day. */
    private static final long FAR = 2 * DAY;
    /** So much before a day begins, its keys go to lists of minutes. */
    private static final long AHEAD = 60 * MINUTE;

    public final long name;
    public long first;
    public long next;

    public DueList(long name, long first, long next) {
        this.name = name;
        this.first = first;
        this.next = next;
    }

    /** The list for a time. */
    public static long nameOf(long at, long now) {
        return at - now > FAR ? at / DAY * DAY + 1 : at / MINUTE * MINUTE;
    }

    public boolean isOfDay() {
        return name % 2 == 1;
    }

    /** Among the lists of its queue: that of their opening. */
    long order() {
        return opensAt() + (isOfDay() ? 1 : 0);
    }

    /** The name of an entry, by its number. */
    public String entry(long number) {
        return name + "/" + number;
    }

    /** When its keys are looked at, in milliseconds since 1970. */
    public long opensAt() {
        return isOfDay() ? name - AHEAD : name;
    }

    /** The first full minute at a time or after it. */
    public static long minuteAfter(long at) {
        return (at + MINUTE - 1) / MINUTE * MINUTE;
    }
}
