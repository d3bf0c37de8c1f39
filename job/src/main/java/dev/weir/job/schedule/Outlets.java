package dev.weir.job.schedule;

import dev.weir.job.wire.Outbound;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.OutputTag;

/** The side outputs of the scheduling function. Row changes are its main output. */
public final class Outlets {

    public static final OutputTag<Outbound> NOTICES = new OutputTag<>("notices", Outbound.TYPE);

    /** Task events that are not final: accepted, active, paused, cancelled. */
    public static final OutputTag<Outbound> EVENTS = new OutputTag<>("events", Outbound.TYPE);

    /** Registrations, closes and final task events, in the order of the decisions. */
    public static final OutputTag<Outbound> DECISIONS = new OutputTag<>("decisions", Outbound.TYPE);

    public static final OutputTag<Outbound> PAGES = new OutputTag<>("pages", Outbound.TYPE);

    public static final OutputTag<Outbound> BEATS = new OutputTag<>("beats", Outbound.TYPE);

    private Outlets() {}

    /** The side output of one pool's jobs. */
    public static OutputTag<Outbound> jobs(String pool) {
        return new OutputTag<>("jobs." + pool, Outbound.TYPE);
    }

    static Map<String, OutputTag<Outbound>> jobs(List<String> pools) {
        Map<String, OutputTag<Outbound>> outlets = new LinkedHashMap<>();
        for (String pool : pools) {
            outlets.put(pool, jobs(pool));
        }
        return outlets;
    }
}
