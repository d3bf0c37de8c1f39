package dev.weir.gateway.live;

import dev.weir.gateway.mirror.Changed;
import dev.weir.gateway.mirror.Mirror;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the mirror for all clients: each second while there are any, otherwise each ten seconds; less often when a look takes longer than a tenth of
 * a second, so that it takes a tenth of its time at most, but each half a minute at least. Safe for use from many threads.
 */
public final class Watch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

    private static final int MOST_SUBSCRIPTIONS = 100;
    private static final long WATCHED_MILLIS = 1_000;
    private static final long ALONE_MILLIS = 10_000;
    private static final int SHARE = 10;
    private static final long MOST_MILLIS = 30_000;

    /** Versions are microseconds. A row may come after younger ones of other tasks, and of lanes whose clock is ahead. */
    private static final long LATE = TimeUnit.SECONDS.toMicros(10);

    private final Mirror mirror;
    private final Throughput throughput = new Throughput(System.currentTimeMillis());
    private final Set<Subscription> subscriptions = new HashSet<>();
    private final Thread thread = new Thread(this::run, "gateway-watch");

    /** Versions by key of the rows that a look finds again. */
    private Map<String, Long> known = new HashMap<>();

    private volatile Instant heardAt = Instant.now();
    private long newest = -1;
    private boolean away;
    private boolean closed;

    public Watch(Mirror mirror) {
        this.mirror = mirror;
        thread.setDaemon(true);
        thread.start();
    }

    public Throughput throughput() {
        return throughput;
    }

    /** When the last row that had changed was seen; not before this began. */
    public Instant heardAt() {
        return heardAt;
    }

    /** To hear of changes from now on; empty when too many hear already. */
    public synchronized Optional<Subscription> subscribe() {
        if (closed || subscriptions.size() >= MOST_SUBSCRIPTIONS) {
            return Optional.empty();
        }
        Subscription subscription = new Subscription(this::remove);
        subscriptions.add(subscription);
        notifyAll();
        return Optional.of(subscription);
    }

    private synchronized void remove(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    private void run() {
        while (pause(look())) {
            // Each look is followed by a pause.
        }
    }

    /** Gives how long it took, in milliseconds; 0 when it failed. */
    private long look() {
        long began = System.nanoTime();
        try {
            Change change = changes();
            if (away) {
                LOG.info("The mirror can be read again");
                away = false;
            }
            publish(change);
        } catch (JdbiException e) {
            if (!away) {
                LOG.warn("The mirror cannot be read: {}", e.toString());
                away = true;
            }
            publish(Change.trouble("the database does not answer"));
            return 0;
        } catch (RuntimeException e) {
            LOG.error("A look at the mirror failed; the next one follows", e);
            return 0;
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    private Change changes() {
        if (newest < 0) {
            newest = mirror.newestVersion();
        }
        long now = System.currentTimeMillis();
        Map<String, Long> seen = new HashMap<>();
        Set<String> tasks = new HashSet<>();
        Set<String> pools = new HashSet<>();
        boolean pilots = false;
        for (Changed row : mirror.changedSince(newest, LATE)) {
            String key = (row.isTask() ? "task " : "pilot ") + row.uid();
            seen.put(key, row.version());
            if (row.version() <= known.getOrDefault(key, -1L)) {
                continue;
            }
            heardAt = Instant.ofEpochMilli(now);
            if (row.pool() != null) {
                pools.add(row.pool());
            }
            if (row.isTask()) {
                tasks.add(row.uid());
                throughput.see(row, now);
                throughput.seeRank(row.uid(), row.rank(), now);
            } else {
                pilots = true;
            }
        }
        known = seen;
        newest = seen.values().stream().reduce(newest, Math::max);
        return new Change(tasks, false, pools, pilots, null);
    }

    private void publish(Change change) {
        if (!change.isEmpty()) {
            List<Subscription> present;
            synchronized (this) {
                present = List.copyOf(subscriptions);
            }
            present.forEach(subscription -> subscription.offer(change));
        }
    }

    /** False when this was closed. */
    private synchronized boolean pause(long lookMillis) {
        long began = System.nanoTime();
        try {
            while (!closed) {
                long pause = Math.max(
                        subscriptions.isEmpty() ? ALONE_MILLIS : WATCHED_MILLIS,
                        Math.min(MOST_MILLIS, SHARE * lookMillis));
                long left = pause - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            return false;
        }
        return !closed;
    }

    @Override
    public void close() {
        List<Subscription> present;
        synchronized (this) {
            closed = true;
            present = List.copyOf(subscriptions);
            notifyAll();
        }
        present.forEach(Subscription::close);
        try {
            thread.join(Duration.ofSeconds(6).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
