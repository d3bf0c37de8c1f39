package dev.weir.queues.item;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Cron;
import dev.weir.protocol.queue.Payload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** When a key runs again. All times are in milliseconds since 1970. */
final class Dates {

    private static final int MOST_CRONS = 1_000;
    private static final long SECOND = 1_000;
    /** Of SplitMix64, which spreads the bits of a number over all of it. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private static final long MIX_A = 0xBF58476D1CE4E5B9L;
    private static final long MIX_B = 0x94D049BB133111EBL;

    /** To read one takes longer than to use it. */
    private final Map<String, Cron> crons = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * The date after the one of a run; 0 for none.
     *
     * @param base of the run that has ended
     * @param pauseS of a rule that adapts
     */
    long next(Again again, long base, long now, int pauseS) {
        if (again.afterS() != null) {
            return now + (again.adapts() ? pauseS : again.afterS()) * SECOND;
        }
        if (again.everyS() != null) {
            long step = again.everyS() * SECOND;
            return base + Math.max(1, Math.floorDiv(now - base, step) + 1) * step;
        }
        Instant next = cron(again).next(Instant.ofEpochMilli(Math.max(base, now)));
        return next == null ? 0 : next.toEpochMilli();
    }

    private Cron cron(Again again) {
        Cron cron =
                crons.computeIfAbsent(again.cron() + '\0' + again.zone(), name -> Cron.of(again.cron(), again.zone()));
        if (crons.size() > MOST_CRONS) {
            crons.remove(crons.keySet().iterator().next());
        }
        return cron;
    }

    /** A date put off by up to the jitter of its rule; always the same for a key and a date. */
    static long jittered(Again again, String key, long date) {
        if (again.jitterS() == null || again.jitterS() == 0) {
            return date;
        }
        long mixed = (key.hashCode() * GOLDEN) ^ date;
        mixed = (mixed ^ (mixed >>> 30)) * MIX_A;
        mixed = (mixed ^ (mixed >>> 27)) * MIX_B;
        return date + Math.floorMod(mixed ^ (mixed >>> 31), again.jitterS() * SECOND + 1);
    }

    /**
     * The pause before the next run, of a rule that adapts, in seconds.
     *
     * @param pauseS before this run; 0 for the first one
     * @param isOther whether its result is another one than that of the run before; null if there was none
     */
    static int pause(Again again, int pauseS, Boolean isOther) {
        int pause = pauseS == 0 ? again.afterS() : pauseS;
        if (isOther != null) {
            pause = isOther ? pause / 2 : pause * 2;
        }
        return Math.max(again.minS(), Math.min(again.maxS(), pause));
    }

    /** A digest of a result that came without one. */
    static String digest(Payload result) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(result.json().getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
