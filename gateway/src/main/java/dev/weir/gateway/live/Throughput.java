package dev.weir.gateway.live;

import dev.weir.gateway.mirror.Changed;
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

    private final long started;
    /** Earlier once the clock was set back: nothing begins in the future. */
    private long began;

    private final int mostCounts;
    private final Map<String, Seen> counts;
    /** From then on a task without counts may be one whose counts were forgotten. */
    private boolean hasForgotten;

    private final Map<String, Series> tasks = newestOf(MOST_SERIES);
    private final Ranks ranks = new Ranks();
    private final Map<String, Series> pools = newestOf(MOST_SERIES);

    /** @param since when the first job went out; 0 while none has */
    private record Seen(long ended, long failed, long since) {}

    Throughput(long nowMillis) {
        this(nowMillis, MOST_COUNTS);
    }

    /** @param mostCounts of how many tasks it knows what it has counted */
    Throughput(long nowMillis, int mostCounts) {
        started = nowMillis;
        began = nowMillis;
        this.mostCounts = mostCounts;
        counts = newestOf(mostCounts);
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
     * Takes in the row of a task. The counts of one that is older than this are where its counting begins. They fall when failed jobs are tried
     * again, whose next ends count. Once the counts of some task are forgotten, no task counts before its first row.
     */
    synchronized void see(Changed row, long nowMillis) {
        began = Math.min(began, nowMillis);
        Seen before = counts.get(row.uid());
        long since = before == null || before.since() == 0 ? since(row, before == null, nowMillis) : before.since();
        boolean isNew = before == null;
        if (before == null) {
            before = row.acceptedMillis() >= started && !hasForgotten
                    ? new Seen(0, 0, 0)
                    : new Seen(row.ended(), row.failed(), 0);
        }
        hasForgotten |= isNew && counts.size() == mostCounts;
        counts.put(row.uid(), new Seen(row.ended(), row.failed(), since));
        long moreEnded = Math.max(0, row.ended() - before.ended());
        long moreFailed = Math.max(0, row.failed() - before.failed());
        if (moreEnded == 0 && moreFailed == 0) {
            return;
        }
        int step = Series.step(nowMillis);
        int first = Series.step(since);
        tasks.computeIfAbsent(row.uid(), uid -> new Series(first)).add(step, moreEnded, moreFailed);
        if (row.pool() != null) {
            pools.computeIfAbsent(row.pool(), name -> new Series(first)).add(step, moreEnded, moreFailed);
        }
    }

    /** When the first job of a task went out, as far as it can be known; one of which jobs had ended at its first row may have run since it was accepted. */
    private long since(Changed row, boolean isFirst, long now) {
        if (isFirst && row.ended() > 0) {
            return Math.min(now, Math.max(began, row.acceptedMillis()));
        }
        return row.out() + row.ended() > 0 ? now : 0;
    }

    public synchronized Measured ofTask(String uid, long nowMillis) {
        return measured(tasks.get(uid), nowMillis);
    }

    public synchronized Measured ofPool(String name, long nowMillis) {
        return measured(pools.get(name), nowMillis);
    }

    private Measured measured(Series series, long now) {
        began = Math.min(began, now);
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

    /**
     * The time before the first job of a young series went out says nothing of its rate. What comes after does, also while none has ended: the
     * first ones end at once if they are alike, and the next only after as long again.
     */
    private double seconds(Series series, int steps, long now) {
        int step = Series.step(now) - steps + 1;
        long from = (long) (series == null ? step : Math.max(step, series.firstStep())) * Series.STEP_SECONDS * 1000;
        return Math.max(0, now - Math.max(began, from)) / 1000.0;
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
        began = Math.min(began, now);
        return History.of(Optional.ofNullable(series).orElseGet(() -> new Series(Series.step(now))), began, now);
    }
}
