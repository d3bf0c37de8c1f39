package dev.weir.job.lane;

import dev.weir.engine.EngineTables;
import dev.weir.job.wire.Inbound;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;

/**
 * Runs a {@link LaneFunction}, and does what a function cannot do, because it cannot choose the key. Before each snapshot the writes that
 * the lanes have gathered are made, each under the key of its lane. And once a minute each lane gets a tick, whatever time the clock says:
 * Flink's own timers stand at a time of the clock, so after a step back they would wait for as long as the step, also those that come back
 * from a checkpoint.
 *
 * @param <R> records of the main output
 */
public class LaneOperator<R> extends KeyedProcessOperator<Integer, Inbound, R> {

    private static final long WAKE_EVERY_MILLIS = 60_000;

    private final LaneFunction<?, ?, ?, R> function;

    public LaneOperator(LaneFunction<?, ?, ?, R> function) {
        super(function);
        this.function = function;
    }

    @Override
    public void open() throws Exception {
        super.open();
        // The first one, too, comes after a minute of running time, not at a time of the clock.
        var unused = getProcessingTimeService()
                .scheduleWithFixedDelay(time -> wakeLanes(), WAKE_EVERY_MILLIS, WAKE_EVERY_MILLIS);
    }

    /** Sets a timer for now in each lane, also in those that had no event since a restore. */
    public void wakeLanes() {
        InternalTimerService<VoidNamespace> timers =
                getInternalTimerService("user-timers", VoidNamespaceSerializer.INSTANCE, this);
        for (int lane : lanes()) {
            setCurrentKey(lane);
            timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, timers.currentProcessingTime());
        }
    }

    private Set<Integer> lanes() {
        try (Stream<Integer> stored =
                this.<Integer>getKeyedStateBackend().getKeys(EngineTables.ENGINE.name(), VoidNamespace.INSTANCE)) {
            return Stream.concat(stored, function.lanes().stream()).collect(Collectors.toSet());
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        function.flushLanes(this::setCurrentKey);
        super.snapshotState(context);
    }
}
