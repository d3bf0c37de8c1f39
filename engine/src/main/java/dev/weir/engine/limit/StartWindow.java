package dev.weir.engine.limit;

import java.util.Arrays;

/**
 * Counts starts within a sliding window. Up to {@value #GRAIN} starts are kept exactly. Where more are allowed, starts within
 * 1/{@value #GRAIN} of the window share an entry and leave the window with the last of them. So the count is never too small, a limit
 * is never exceeded, and at most that share of it is lost.
 */
final class StartWindow {

    private static final int GRAIN = 64;

    /** Triples of first start, last start, count; oldest first, from {@link #from} to {@link #to}. */
    private long[] entries;

    private int from;
    private int to;
    private long count;

    StartWindow(long[] entries) {
        this.entries = entries.length == 0 ? new long[12] : entries.clone();
        to = entries.length;
        for (int i = 0; i < to; i += 3) {
            count += entries[i + 2];
        }
    }

    void started(long nowMillis, int maxStarts, long windowMillis) {
        if (to > from && maxStarts > GRAIN && nowMillis - entries[to - 3] < windowMillis / GRAIN) {
            entries[to - 2] = nowMillis;
            entries[to - 1]++;
        } else {
            if (to == entries.length) {
                System.arraycopy(entries, from, entries, 0, to - from);
                to -= from;
                from = 0;
                if (to > entries.length / 2) {
                    entries = Arrays.copyOf(entries, entries.length * 2);
                }
            }
            entries[to++] = nowMillis;
            entries[to++] = nowMillis;
            entries[to++] = 1;
        }
        count++;
    }

    /** Starts after now − window. */
    long count(long nowMillis, long windowMillis) {
        while (from < to && entries[from + 1] <= nowMillis - windowMillis) {
            count -= entries[from + 2];
            from += 3;
        }
        return count;
    }

    /** When the oldest entry leaves the window; only when there is one. */
    long opensAt(long windowMillis) {
        return entries[from + 1] + windowMillis;
    }

    /** When the newest entry leaves the window; only when there is one. */
    long emptyAt(long windowMillis) {
        return entries[to - 2] + windowMillis;
    }

    long[] toArray() {
        return Arrays.copyOfRange(entries, from, to);
    }
}
