package dev.weir.chaos.load;

import dev.weir.protocol.Job;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The attempts that reached pilots, and the times between them. Safe for use from many threads. */
public final class Dispatches {

    private final Set<String> attempts = ConcurrentHashMap.newKeySet();
    private long repeated;
    private long lastNanos = System.nanoTime();
    private long longestGapNanos;

    /** A pilot has run this attempt. */
    public void note(Job job) {
        boolean first = attempts.add(job.uid() + "/" + job.attempt());
        synchronized (this) {
            if (first) {
                long now = System.nanoTime();
                longestGapNanos = Math.max(longestGapNanos, now - lastNanos);
                lastNanos = now;
            } else {
                repeated++;
            }
        }
    }

    /** Different attempts so far. */
    public int fresh() {
        return attempts.size();
    }

    /** How often an attempt ran that had run already: its message came twice. */
    public synchronized long repeated() {
        return repeated;
    }

    /** Measures {@link #longestGapSeconds} anew, from now on. */
    public synchronized void measureGap() {
        lastNanos = System.nanoTime();
        longestGapNanos = 0;
    }

    /** The longest time without a new attempt since {@link #measureGap}, up to now. */
    public synchronized double longestGapSeconds() {
        return Math.max(longestGapNanos, System.nanoTime() - lastNanos) / 1e9;
    }
}
