package dev.weir.job.schedule;

import dev.weir.engine.store.Store;
import dev.weir.engine.store.Table;
import dev.weir.job.intake.Rejections;
import dev.weir.job.lane.LaneFunction;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.CoreOptions;
import dev.weir.job.options.JobOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.protocol.Command;
import dev.weir.protocol.Row;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.util.Collector;

/** The shell around the scheduling core. Row changes are its main output, {@link Outlets} the others. */
public final class ScheduleFunction extends LaneFunction<Event, Effect, Scheduler, Row> {

    private final Configuration configuration;

    private transient SchedulerOptions options;
    private transient StreamEffects effects;
    /** Lanes whose limits in force are in the log as they are now. */
    private transient Set<Integer> limitsShown;

    private transient ScheduleMetrics metrics;

    /** The configuration should hold no secrets: it is part of the job graph. */
    public ScheduleFunction(Configuration configuration) {
        super("the scheduler", configuration.get(JobOptions.LANES));
        this.configuration = configuration;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        super.open(context);
        options = CoreOptions.of(configuration);
        effects =
                new StreamEffects(Addresses.of(configuration), new Rejections(configuration.get(AmqpOptions.REJECTED)));
        limitsShown = new HashSet<>();
        metrics = new ScheduleMetrics(
                getRuntimeContext().getMetricGroup(), this::metrics, configuration.get(JobOptions.POOLS));
    }

    private List<SchedulerMetrics> metrics() {
        List<SchedulerMetrics> ofLanes = new ArrayList<>();
        for (Scheduler lane : cores()) {
            SchedulerMetrics ofLane = lane.metrics();
            // A lane that failed at an event has none until its next one.
            if (ofLane != null) {
                ofLanes.add(ofLane);
            }
        }
        return ofLanes;
    }

    @Override
    protected Collection<Table<?>> tables() {
        return Scheduler.tables();
    }

    @Override
    protected Scheduler core(int lane, Store store) {
        return new Scheduler(options, lane, store);
    }

    @Override
    protected Event event(Inbound message) {
        Event event = Events.of(message);
        Journal.arrived(event);
        return event;
    }

    @Override
    protected Event tick() {
        return new Event.Tick();
    }

    @Override
    protected void begin(Context context, Collector<Row> out, Inbound cause) {
        effects.of(context, out, cause);
    }

    @Override
    protected void rejected(String reason, String field) {
        effects.rejected(reason, field);
    }

    @Override
    protected void applied(int lane, Scheduler core, Event event, List<Effect> decided, long nowMillis) {
        boolean limits = event instanceof Event.CommandArrived arrived && arrived.command() instanceof Command.Limit;
        if (limitsShown.add(lane) || limits) {
            Journal.limits(core.limits());
        }
        effects.send(decided);
        metrics.refresh(nowMillis);
    }
}
