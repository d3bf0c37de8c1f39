package dev.weir.job.schedule;

import dev.weir.job.wire.Inbound;
import dev.weir.protocol.Row;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;

/**
 * The operator named SCHEDULE: a {@link ScheduleFunction}, and before each snapshot the writes that its lanes have gathered, each
 * under the key of its lane, which a function cannot choose.
 */
public class ScheduleOperator extends KeyedProcessOperator<Integer, Inbound, Row> {

    private final ScheduleFunction function;

    /** The configuration should hold no secrets: it is part of the job graph. */
    public ScheduleOperator(Configuration configuration) {
        this(new ScheduleFunction(configuration));
    }

    private ScheduleOperator(ScheduleFunction function) {
        super(function);
        this.function = function;
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        function.flushLanes(this::setCurrentKey);
        super.snapshotState(context);
    }
}
