package dev.weir.gateway.live;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many jobs of tasks and pools ended when, since this began. It keeps the thousand tasks and the thousand pools of which something ended last. Safe for
 * use from many threads.
 */
public final class Throughput {

    private static final int MOST_SERIES = 1000;
    private static final int MOST_COUNTS = 200_000;
    private static final int LONG_STEPS = 600 / Series.STEP_SECONDS;
    private static final int SHORT_STEPS = 60 / Series.STEP_SECONDS;

    private final long began;
    private final Map<String, long[]> counts = newestOf(MOST_COUNTS);
    private final Map<String, Series> tasks = newestOf(MOST_SERIES);
    private final Ranks ranks = new Ranks();
    private final Map<String, Series> pools = newestOf(MOST_SERIES);

    Throughput(long nowMillis) {
        began = nowMillis;
    }

    private static <T> Map<String, T> newestOf(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > most;
            }
        };
    }

    /**
     * Takes in the counts of a task. Those of a task that is older than this are where its counting begins. They fall when failed jobs are tried
     * again, whose next ends count.
     *
     * @param ended jobs of it that have ended, in any way but by a cancellation
     */
    synchronized void see(String task, String pool, long acceptedMillis, long ended, long failed, long nowMillis) {
        int step = Series.step(nowMillis);
        boolean isNew = acceptedMillis >= began;
        long[] before = counts.get(task);
        if (before == null) {
            before = isNew ? new long[2] : new long[] {ended, failed};
        }
        counts.put(task, new long[] {ended, failed});
        long moreEnded = Math.max(0, ended - before[0]);
        long moreFailed = Math.max(0, failed - before[1]);
        if (moreEnded == 0 && moreFailed == 0) {
            return;
        }
        tasks.computeIfAbsent(task, uid -> new Series(step)).add(step, moreEnded, moreFailed);
        if (pool != null) {
            pools.computeIfAbsent(pool, name -> new Series(step)).add(step, moreEnded, moreFailed);
        }
    }

    public synchronized Measured ofTask(String uid, long nowMillis) {
        return measured(tasks.get(uid), nowMillis);
    }

    public synchronized Measured ofPool(String name, long nowMillis) {
        return measured(pools.get(name), nowMillis);
    }

    private Measured measured(Series series, long now) {
        return new Measured(
                ended(series, LONG_STEPS, now),
                seconds(series, LONG_STEPS, now),
                ended(series, SHORT_STEPS, now),
                seconds(series, SHORT_STEPS, now));
    }

    private static long ended(Series series, int steps, long now) {
        int last = Series.step(now);
        return series == null ? 0 : series.ended(last - steps, last);
    }

    /** The time before the first job of a young series ended says nothing of its rate. */
    private double seconds(Series series, int steps, long now) {
        int step = Series.step(now) - steps + 1;
        long from = (long) (series == null ? step : Math.max(step, series.firstStep())) * Series.STEP_SECONDS * 1000;
        return (now - Math.max(began, from)) / 1000.0;
    }

    void seeRank(String task, double rank, long nowMillis) {
        ranks.see(task, rank, nowMillis);
    }

    /** All zero for a task of which nothing ended since this began. */
    public synchronized TaskHistory historyOfTask(String uid, long nowMillis) {
        return new TaskHistory(history(tasks.get(uid), nowMillis), ranks.of(uid));
    }

    public synchronized History historyOfPool(String name, long nowMillis) {
        return history(pools.get(name), nowMillis);
    }

    private History history(Series series, long now) {
        return History.of(Optional.ofNullable(series).orElseGet(() -> new Series(Series.step(now))), began, now);
    }
}
