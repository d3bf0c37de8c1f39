package dev.weir.job.lane;

import dev.weir.engine.BrokenState;
import dev.weir.engine.Core;
import dev.weir.engine.store.Store;
import dev.weir.engine.store.StoreFailure;
import dev.weir.engine.store.Table;
import dev.weir.job.wire.Inbound;
import dev.weir.protocol.InvalidMessage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
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
 * The shell around a pure core: messages become events, keyed state its store, effects outputs, and one processing-time timer per lane
 * its deadlines. It decides nothing itself. {@link LaneOperator} runs it.
 *
 * <p>An event that the core throws at is rejected with the exception, any error but of memory included; the core has changed nothing
 * then. A failure of the state backend or of an output fails the job instead, which then continues from its last checkpoint. So does a
 * row of messages that all fail: then the fault is not theirs, and rejecting on would only move all of them to another queue.
 *
 * @param <E> events of the core
 * @param <F> its effects
 * @param <C> the core
 * @param <R> records of the main output
 */
public abstract class LaneFunction<E, F, C extends Core<E, F>, R> extends KeyedProcessFunction<Integer, Inbound, R>
        implements CheckpointedFunction {

    /** So many failed messages without one that succeeds stop the job: a restart builds the core's memory anew. */
    public static final int MOST_FAILURES_IN_A_ROW = 10;

    /** The same for some minutes after a restart, which then has not helped: the messages are at fault, and must not stop the others for ever. */
    public static final int MOST_FAILURES_AFTER_A_RESTART = 100;

    private static final long AFTER_A_RESTART_MILLIS = 600_000;

    private static final Logger LOG = LoggerFactory.getLogger(LaneFunction.class);

    /** A deadline that cannot be handled is a bug of ours; it must neither stop the lane nor spin. */
    private static final long TICK_RETRY_MILLIS = 1_000;

    private final String what;
    private final int laneCount;

    /** How many lanes the state is for. */
    private transient ListState<Integer> lanesOfState;

    private transient Map<String, MapState<String, byte[]>> states;
    private transient Map<Integer, Lane<C>> lanes;
    private transient Map<Integer, Long> timers;
    private transient Counter failedTicks;
    private transient int failuresInARow;
    private transient boolean isRestored;
    /** When the first message came; 0 before. */
    private transient long firstMessageMillis;

    /** A lane that had an event since the start. */
    private record Lane<C>(C core, FlinkStore store) {}

    /**
     * @param what the core does: the subject of messages for people
     * @param laneCount how many lanes there are, from 1
     */
    protected LaneFunction(String what, int laneCount) {
        this.what = what;
        this.laneCount = laneCount;
    }

    /** Every table of the core. */
    protected abstract Collection<Table<?>> tables();

    /** The core of a lane, whose state is in the store. */
    protected abstract C core(int lane, Store store);

    /** The event that a message is. Throws {@link InvalidMessage} when it is none. */
    protected abstract E event(Inbound message);

    /** The event of a deadline. */
    protected abstract E tick();

    /**
     * Says where the effects of the next event go.
     *
     * @param cause its message; null for a deadline
     */
    protected abstract void begin(Context context, Collector<R> out, Inbound cause);

    /**
     * Reports that the message of the event at hand was not taken.
     *
     * @param field the field at fault; null when the message as a whole is
     */
    protected abstract void rejected(String reason, String field);

    /**
     * An event was applied: sends its effects. An exception fails the job, because the store has the new state.
     *
     * @param event the tick for a deadline
     */
    protected abstract void applied(int lane, C core, E event, List<F> effects, long nowMillis);

    /** Refuses state for another number of lanes, for good: a task would be in one lane, and its messages would go to another. */
    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        isRestored = context.isRestored();
        states = FlinkStore.states(context.getKeyedStateStore(), tables());
        lanesOfState = context.getOperatorStateStore()
                .getUnionListState(new ListStateDescriptor<>("lanes", IntSerializer.INSTANCE));
        for (int saved : lanesOfState.get()) {
            if (saved != laneCount) {
                throw new SuppressRestartsException(new IllegalStateException("weir.lanes is " + laneCount
                        + ", but the state is for " + saved + " lanes: set weir.lanes to " + saved
                        + ", or start with empty state (--fresh), which loses the open tasks"));
            }
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        lanesOfState.update(List.of(laneCount));
        for (Lane<C> lane : lanes.values()) {
            if (!lane.store.isFlushed()) {
                throw new IllegalStateException(
                        "a snapshot would miss what a lane has gathered: LaneOperator flushes it");
            }
        }
    }

    @Override
    public void open(OpenContext context) throws Exception {
        lanes = new HashMap<>();
        timers = new HashMap<>();
        failedTicks = getRuntimeContext().getMetricGroup().counter("failed_ticks");
    }

    /** The lanes that had an event since the start. */
    final Set<Integer> lanes() {
        return lanes.keySet();
    }

    /** Their cores. */
    protected final List<C> cores() {
        return lanes.values().stream().map(Lane::core).toList();
    }

    /** Writes what all lanes have gathered to keyed state; each lane's key is made the current one by the given way. */
    final void flushLanes(Consumer<Integer> makeCurrent) {
        lanes.forEach((key, lane) -> {
            makeCurrent.accept(key);
            lane.store.flush();
        });
    }

    @Override
    public final void processElement(Inbound message, Context context, Collector<R> out) {
        if (firstMessageMillis == 0) {
            firstMessageMillis = context.timerService().currentProcessingTime();
        }
        begin(context, out, message);
        E event;
        List<F> decided;
        try {
            event = event(message);
            decided = decide(event, context);
        } catch (StoreFailure | BrokenState | OutOfMemoryError e) {
            throw e;
        } catch (InvalidMessage e) {
            rejected(e.getMessage(), e.field());
            return;
        } catch (RuntimeException | Error e) {
            if (++failuresInARow >= mostFailuresInARow(context.timerService().currentProcessingTime())) {
                throw new IllegalStateException(
                        what + " failed at " + failuresInARow + " messages in a row, the last one from "
                                + message.queue(),
                        e);
            }
            LOG.error("Rejected a message from {} at which {} failed", message.queue(), what, e);
            rejected(what + " failed at this message, nothing of it was done: " + e, null);
            return;
        }
        failuresInARow = 0;
        finish(event, decided, context);
    }

    private int mostFailuresInARow(long nowMillis) {
        return isRestored && nowMillis - firstMessageMillis < AFTER_A_RESTART_MILLIS
                ? MOST_FAILURES_AFTER_A_RESTART
                : MOST_FAILURES_IN_A_ROW;
    }

    @Override
    public final void onTimer(long timestamp, OnTimerContext context, Collector<R> out) {
        // Not at a timer that LaneOperator has set.
        timers.remove(context.getCurrentKey(), timestamp);
        begin(context, out, null);
        E event = tick();
        List<F> decided;
        try {
            decided = decide(event, context);
        } catch (StoreFailure | BrokenState | OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LOG.error("{} failed at a deadline; nothing of it was done, it is tried again", what, e);
            failedTicks.inc();
            long again = context.timerService().currentProcessingTime() + TICK_RETRY_MILLIS;
            context.timerService().registerProcessingTimeTimer(again);
            timers.put(context.getCurrentKey(), again);
            return;
        }
        finish(event, decided, context);
    }

    /** Lets the lane of the current key apply an event. When this throws, nothing was changed, unless the state backend failed. */
    private List<F> decide(E event, Context context) {
        int key = context.getCurrentKey();
        Lane<C> lane = lanes.get(key);
        if (lane == null) {
            FlinkStore store = new FlinkStore(states);
            lane = new Lane<>(core(key, store), store);
            lanes.put(key, lane);
        }
        return lane.core.apply(event, context.timerService().currentProcessingTime());
    }

    /** What was decided is in the lane's store now: an exception from here on fails the job. */
    private void finish(E event, List<F> decided, Context context) {
        int key = context.getCurrentKey();
        Lane<C> lane = lanes.get(key);
        lane.core.takeProblems().forEach(LOG::error);
        applied(key, lane.core, event, decided, context.timerService().currentProcessingTime());
        if (lane.store.isFull()) {
            lane.store.spill();
        }
        setTimer(key, lane.core.nextDeadlineMillis(), context);
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
