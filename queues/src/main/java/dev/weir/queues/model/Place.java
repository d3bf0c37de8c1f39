package dev.weir.queues.model;

/** The place of a waiting item among those of its owner: by priority, then by age, in one number. The smallest is the first. */
public final class Place {

    private static final int NUMBER_BITS = 43;
    private static final long NUMBERS = (1L << NUMBER_BITS) - 1;

    private Place() {}

    /**
     * @param priority 1 to 1,000,000
     * @param number 0 to 2^43 − 1: enough for a million items a second for a hundred days, or for thirty thousand for nine years
     */
    public static long of(int priority, long number) {
        if (number < 0 || number > NUMBERS) {
            throw new IllegalStateException("items are numbered up to " + NUMBERS + ", got " + number);
        }
        return (long) priority << NUMBER_BITS | number;
    }

    /** Behind all places of a priority, and before those of worse ones. */
    static long last(int priority) {
        return of(priority, NUMBERS);
    }

    public static long number(long place) {
        return place & NUMBERS;
    }

    public static int priority(long place) {
        return (int) (place >>> NUMBER_BITS);
    }
}
