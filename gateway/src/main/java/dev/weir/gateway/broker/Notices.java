package dev.weir.gateway.broker;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.protocol.Names;
import dev.weir.protocol.Notice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Notices that wait for the next request of their pilot. A pilot that makes none for five minutes is forgotten, and of very many the
 * longest silent ones; so are notices that no pilot fetches for two minutes: Weir repeats what still holds at the pilot's next report.
 * Safe for use from many threads.
 */
public final class Notices {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LIFE = Duration.ofMinutes(2);
    private static final long MOST_PILOTS = 10_000;
    /** For one pilot; of more the oldest are dropped. */
    private static final int MOST = 32;

    private final Cache<String, Box> boxes = Caffeine.newBuilder()
            .expireAfterAccess(PATIENCE)
            .maximumSize(MOST_PILOTS)
            .build();

    private record Kept(Notice notice, long atNanos) {}

    private static final class Box {

        private final Deque<Kept> kept = new ArrayDeque<>();
        private Runnable waiting;

        Runnable add(Notice notice) {
            synchronized (this) {
                kept.removeIf(other -> replaces(notice, other.notice()));
                kept.add(new Kept(notice, System.nanoTime()));
                if (kept.size() > MOST) {
                    kept.remove();
                }
                Runnable told = waiting;
                waiting = null;
                return told;
            }
        }

        synchronized List<Notice> take() {
            long oldest = System.nanoTime() - LIFE.toNanos();
            List<Notice> taken = new ArrayList<>();
            for (Kept one : kept) {
                if (one.atNanos() - oldest >= 0) {
                    taken.add(one.notice());
                }
            }
            kept.clear();
            return taken;
        }

        synchronized boolean await(Runnable told) {
            if (kept.isEmpty()) {
                waiting = told;
                return true;
            }
            return false;
        }

        /** Of those about the pilot itself only the last counts; others are repeated as they were. */
        private static boolean replaces(Notice late, Notice early) {
            return late.type().isAboutAttempt()
                    ? late.equals(early)
                    : !early.type().isAboutAttempt();
        }
    }

    /** A notice with the key that it came with. */
    void came(String key, Notice notice) {
        if (key.equals(Names.NOTICE_ALL)) {
            boxes.asMap().values().forEach(box -> tell(box, notice));
        } else {
            Box box = boxes.policy().getIfPresentQuietly(key);
            if (box != null) {
                tell(box, notice);
            }
        }
    }

    private static void tell(Box box, Notice notice) {
        Runnable waiting = box.add(notice);
        if (waiting != null) {
            waiting.run();
        }
    }

    boolean knows(String pilot) {
        return boxes.policy().getIfPresentQuietly(pilot) != null;
    }

    /** From now on notices for the pilot are kept. */
    void expect(String pilot) {
        var unused = boxes.get(pilot, absent -> new Box());
    }

    /** Those that wait, oldest first; they are kept no longer. */
    public List<Notice> take(String pilot) {
        Box box = boxes.getIfPresent(pilot);
        return box == null ? List.of() : box.take();
    }

    /**
     * Runs this once when the next notice comes, unless one waits already; then returns false. It replaces what else waited for that
     * pilot.
     *
     * @param told must not block
     */
    public boolean await(String pilot, Runnable told) {
        return boxes.get(pilot, absent -> new Box()).await(told);
    }
}
