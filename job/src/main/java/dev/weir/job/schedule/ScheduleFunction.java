package dev.weir.job.schedule;

import dev.weir.engine.BrokenState;
import dev.weir.engine.store.StoreFailure;
import dev.weir.job.intake.Rejections;
import dev.weir.job.options.AmqpOptions;
import dev.weir.job.options.CoreOptions;
import dev.weir.job.options.JobOptions;
import dev.weir.job.wire.Inbound;
import dev.weir.protocol.Command;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Row;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.api.Effect;
import dev.weir.scheduler.api.Event;
import dev.weir.scheduler.api.SchedulerMetrics;
import dev.weir.scheduler.options.SchedulerOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around the scheduling core: messages become events, keyed state its store, effects outputs, and one
 * processing-time timer per lane its deadlines. It decides nothing itself.
 *
 * <p>An event that the core throws at is rejected with the exception, a {@link StackOverflowError} included; the core has changed nothing
 * then. A failure of the state backend or of an output fails the job instead, which then continues from its last checkpoint. So does a
 * row of messages that all fail: then the fault is not theirs, and rejecting on would only move all of them to another queue.
 */
final class ScheduleFunction extends KeyedProcessFunction<Integer, Inbound, Row> implements CheckpointedFunction {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleFunction.class);

    /** A deadline that cannot be handled is a bug of ours; it must neither stop the lane nor spin. */
    private static final long TICK_RETRY_MILLIS = 1_000;

    /** So many failed messages without one that succeeds stop the job. */
    static final int MOST_FAILURES_IN_A_ROW = 10;

    private final Configuration configuration;

    private transient SchedulerOptions options;
    /** How many lanes the state is for. */
    private transient ListState<Integer> lanesOfState;

    private transient Map<String, MapState<String, byte[]>> states;
    private transient StreamEffects effects;
    private transient Map<Integer, Lane> lanes;
    private transient Map<Integer, Long> timers;
    /** Lanes whose limits in force are in the log as they are now. */
    private transient Set<Integer> limitsShown;

    private transient Counter failedTicks;
    private transient int failuresInARow;
    private transient ScheduleMetrics metrics;

    /** A lane that had an event since the start. */
    private record Lane(Scheduler scheduler, FlinkStore store) {}

    ScheduleFunction(Configuration configuration) {
        this.configuration = configuration;
    }

    /** Refuses state for another number of lanes, for good: a task would be in one lane, and its messages would go to another. */
    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        states = FlinkStore.states(context.getKeyedStateStore(), Scheduler.tables());
        lanesOfState = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("lanes", IntSerializer.INSTANCE));
        int configured = configuration.get(JobOptions.LANES);
        for (int saved : lanesOfState.get()) {
            if (saved != configured) {
                throw new SuppressRestartsException(new IllegalStateException("weir.lanes is " + configured
                        + ", but the state is for " + saved + " lanes: set weir.lanes to " + saved
                        + ", or start with empty state (--fresh), which loses the open tasks"));
            }
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        lanesOfState.update(List.of(configuration.get(JobOptions.LANES)));
        for (Lane lane : lanes.values()) {
            if (!lane.store.isFlushed()) {
                throw new IllegalStateException(
                        "a snapshot would miss what a lane has gathered: ScheduleOperator flushes it");
            }
        }
    }

    /** The lanes that had an event since the start. */
    Set<Integer> lanes() {
        return lanes.keySet();
    }

    /** Writes what all lanes have gathered to keyed state; each lane's key is made the current one by the given way. */
    void flushLanes(Consumer<Integer> makeCurrent) {
        lanes.forEach((key, lane) -> {
            makeCurrent.accept(key);
            lane.store.flush();
        });
    }

    @Override
    public void open(OpenContext context) {
        options = CoreOptions.of(configuration);
        effects =
                new StreamEffects(Addresses.of(configuration), new Rejections(configuration.get(AmqpOptions.REJECTED)));
        lanes = new HashMap<>();
        timers = new HashMap<>();
        limitsShown = new HashSet<>();
        failedTicks = getRuntimeContext().getMetricGroup().counter("failed_ticks");
        metrics = new ScheduleMetrics(
                getRuntimeContext().getMetricGroup(), this::metrics, configuration.get(JobOptions.POOLS));
    }

    @Override
    public void processElement(Inbound message, Context context, Collector<Row> out) {
        effects.of(context, out, message);
        Event event;
        List<Effect> decided;
        try {
            event = Events.of(message);
            Journal.arrived(event);
            decided = decide(event, context);
        } catch (StoreFailure | BrokenState e) {
            throw e;
        } catch (InvalidMessage e) {
            effects.rejected(e.getMessage(), e.field());
            return;
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            if (++failuresInARow >= MOST_FAILURES_IN_A_ROW) {
                throw new IllegalStateException(
                        "the scheduler failed at " + failuresInARow + " messages in a row, the last one from "
                                + message.queue(),
                        e);
            }
            LOG.error("Rejected a message from {} at which the scheduler failed", message.queue(), e);
            effects.rejected("the scheduler failed at this message, nothing of it was done: " + e, null);
            return;
        }
        failuresInARow = 0;
        if (event instanceof Event.CommandArrived arrived && arrived.command() instanceof Command.Limit) {
            limitsShown.remove(context.getCurrentKey());
        }
        finish(decided, context);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<Row> out) {
        // Not at a timer that ScheduleOperator has set.
        timers.remove(context.getCurrentKey(), timestamp);
        effects.of(context, out, null);
        List<Effect> decided;
        try {
            decided = decide(new Event.Tick(), context);
        } catch (StoreFailure | BrokenState e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            LOG.error("The scheduler failed at a deadline; nothing of it was done, it is tried again", e);
            failedTicks.inc();
            long again = context.timerService().currentProcessingTime() + TICK_RETRY_MILLIS;
            context.timerService().registerProcessingTimeTimer(again);
            timers.put(context.getCurrentKey(), again);
            return;
        }
        finish(decided, context);
    }

    private List<SchedulerMetrics> metrics() {
        List<SchedulerMetrics> ofLanes = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            ofLanes.add(lane.scheduler.metrics());
        }
        return ofLanes;
    }

    /** Lets the lane of the current key apply an event. When this throws, nothing was changed, unless the state backend failed. */
    private List<Effect> decide(Event event, Context context) {
        int key = context.getCurrentKey();
        Lane lane = lanes.get(key);
        if (lane == null) {
            FlinkStore store = new FlinkStore(states);
            lane = new Lane(new Scheduler(options, key, store), store);
            lanes.put(key, lane);
        }
        return lane.scheduler.apply(event, context.timerService().currentProcessingTime());
    }

    /** What was decided is in the lane's store now: an exception from here on fails the job. */
    private void finish(List<Effect> decided, Context context) {
        int key = context.getCurrentKey();
        Lane lane = lanes.get(key);
        lane.scheduler.takeProblems().forEach(LOG::error);
        if (limitsShown.add(key)) {
            Journal.limits(lane.scheduler.limits());
        }
        effects.send(decided);
        if (lane.store.isFull()) {
            lane.store.flush();
        }
        metrics.refresh(context.timerService().currentProcessingTime());
        setTimer(key, lane.scheduler.nextDeadlineMillis(), context);
    }

    /** A timer that fires too early costs one tick, so only an earlier deadline replaces the one that is set. */
    private void setTimer(int lane, long deadlineMillis, Context context) {
        Long set = timers.get(lane);
        if (deadlineMillis == Long.MAX_VALUE || set != null && set <= deadlineMillis) {
            return;
        }
        if (set != null) {
            context.timerService().deleteProcessingTimeTimer(set);
        }
        context.timerService().registerProcessingTimeTimer(deadlineMillis);
        timers.put(lane, deadlineMillis);
    }
}
