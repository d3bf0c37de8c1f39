package dev.weir.job.schedule;

import dev.weir.job.wire.Outbound;
import org.apache.flink.util.OutputTag;

/** The side outputs of the scheduling function. Row changes are its main output. */
public final class Outlets {

    /** Jobs of all pools, in one output: so a pool can be taken away without leaving state that no operator claims. */
    public static final OutputTag<Outbound> JOBS = new OutputTag<>("jobs", Outbound.TYPE);

    public static final OutputTag<Outbound> NOTICES = new OutputTag<>("notices", Outbound.TYPE);

    /** Task events that are not final: accepted, active, paused, cancelled. */
    public static final OutputTag<Outbound> EVENTS = new OutputTag<>("events", Outbound.TYPE);

    /** Registrations, closes and final task events, in the order of the decisions. */
    public static final OutputTag<Outbound> DECISIONS = new OutputTag<>("decisions", Outbound.TYPE);

    public static final OutputTag<Outbound> PAGES = new OutputTag<>("pages", Outbound.TYPE);

    public static final OutputTag<Outbound> BEATS = new OutputTag<>("beats", Outbound.TYPE);

    private Outlets() {}
}
