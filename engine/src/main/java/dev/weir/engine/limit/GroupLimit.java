package dev.weir.engine.limit;

import dev.weir.engine.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a limit group allows.
 *
 * @param maxInFlight most jobs released and not ended; {@link #UNLIMITED} for no limit
 * @param maxStarts most releases within window; {@link #UNLIMITED} for no limit
 * @param window the sliding window of maxStarts; null without it
 */
public record GroupLimit(int maxInFlight, int maxStarts, Duration window) {

    public static final int UNLIMITED = Integer.MAX_VALUE;
    public static final GroupLimit NONE = new GroupLimit(UNLIMITED, UNLIMITED, null);

    public GroupLimit {
        Range.check("max-in-flight", maxInFlight, 0, UNLIMITED);
        Range.check("max-starts", maxStarts, 0, UNLIMITED);
        if (maxStarts != UNLIMITED) {
            if (window == null) {
                throw new IllegalArgumentException("max-starts needs a window");
            }
            Range.check("window", window, Duration.ofMillis(1), Duration.ofDays(30));
        }
    }

    /**
     * The part that one of several lanes may use. The parts add up to the whole, but each part is at least 1 unless the whole is 0, because
     * a task never leaves its lane.
     *
     * @param lane from 0
     */
    public GroupLimit ofLane(int lane, int lanes) {
        return new GroupLimit(part(maxInFlight, lane, lanes), part(maxStarts, lane, lanes), window);
    }

    private static int part(int whole, int lane, int lanes) {
        return whole == UNLIMITED || whole == 0 ? whole : Math.max(1, whole / lanes + (lane < whole % lanes ? 1 : 0));
    }

    public static GroupLimit inFlight(int most) {
        return new GroupLimit(most, UNLIMITED, null);
    }

    /** For people: {@code 20 in flight, 100 starts in 60 s}, or {@code none}. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (maxInFlight != UNLIMITED) {
            parts.add(maxInFlight + " in flight");
        }
        if (maxStarts != UNLIMITED) {
            parts.add(maxStarts + " starts in " + window.toMillis() / 1000.0 + " s");
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts).replace(".0 s", " s");
    }
}
