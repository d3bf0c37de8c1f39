package dev.weir.protocol.queue;

import dev.weir.protocol.Check;
import dev.weir.protocol.InvalidMessage;
import java.time.Instant;

/**
 * When a key runs again, after it has finished or died. One of {@code afterS}, {@code everyS} and {@code cron}, or none of them: not again.
 * Runs that were missed are made up for by one.
 *
 * @param afterS so many seconds after the end of a run; 1 to {@link #YEAR}
 * @param everyS so many seconds after the date of the last run, whatever it took; 1 to {@link #YEAR}
 * @param cron at these times: five fields of cron, as in {@code 0 3 * * 1-5}; not more often than once a minute
 * @param zone the time zone of cron, such as Europe/Paris; null means UTC. How its dates follow a change of the clock: {@link Cron}
 * @param minS with afterS and maxS: the pause halves after a result that is another one, down to this
 * @param maxS the pause doubles after a result that is the same, up to this, in seconds
 * @param jitterS each date is put off by a time up to this, in seconds, so that not all come at once; 0 to 86,400, 0 by default
 */
public record Again(
        Integer afterS, Integer everyS, String cron, String zone, Integer minS, Integer maxS, Integer jitterS) {

    public static final int YEAR = 365 * 24 * 3600;
    private static final int DAY = 24 * 3600;

    private static final Instant ANY = Instant.parse("2024-01-01T00:00:00Z");

    /** Not again. */
    public static final Again NEVER = new Again(null, null, null, null, null, null, null);

    public Again {
        int rules = (afterS == null ? 0 : 1) + (everyS == null ? 0 : 1) + (cron == null ? 0 : 1);
        if (rules > 1) {
            throw new InvalidMessage(null, "again has one of after_s, every_s and cron, not several");
        }
        seconds("after_s", afterS, 1, YEAR);
        seconds("every_s", everyS, 1, YEAR);
        if (zone != null && cron == null) {
            throw new InvalidMessage("zone", "zone needs cron");
        }
        if ((minS == null) != (maxS == null) || minS != null && afterS == null) {
            throw new InvalidMessage("min_s", "min_s and max_s come together, and need after_s");
        }
        if (minS != null) {
            seconds("min_s", minS, 1, afterS);
            seconds("max_s", maxS, afterS, YEAR);
        }
        seconds("jitter_s", jitterS, 0, DAY);
        if (jitterS != null && rules == 0) {
            throw new InvalidMessage("jitter_s", "jitter_s needs after_s, every_s or cron");
        }
    }

    private static void seconds(String name, Integer value, int least, int most) {
        if (value != null) {
            Check.within(name, value, least, most);
        }
    }

    /** Throws {@link InvalidMessage} about again.cron or again.zone if they name no dates. Takes longer than the rest: what is kept was checked when it came. */
    void checkDates() {
        if (cron != null && Cron.of(cron, zone).next(ANY) == null) {
            throw new InvalidMessage("again.cron", "cron names no date: " + cron);
        }
    }

    /** Whether there is a next time. */
    public boolean recurs() {
        return afterS != null || everyS != null || cron != null;
    }

    /** Whether the pause follows what results say. */
    public boolean adapts() {
        return minS != null;
    }
}
