package dev.weir.job.lane;

import dev.weir.engine.store.Table;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** The stores of some lanes in an operator that does nothing else. */
final class StoreOnTheBench implements AutoCloseable {

    private final Stores operator;
    private final KeyedOneInputStreamOperatorTestHarness<Integer, Integer, Integer> harness;
    private long checkpoints;

    /** @param state of a checkpoint; null for none */
    StoreOnTheBench(StateBackend backend, OperatorSubtaskState state, Collection<Table<?>> tables) throws Exception {
        operator = new Stores(tables);
        harness = new KeyedOneInputStreamOperatorTestHarness<>(operator, lane -> lane, Types.INT);
        harness.setStateBackend(backend);
        harness.setup();
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
    }

    /** The store of a lane, to be used until another lane's is asked for. */
    FlinkStore lane(int lane) {
        return operator.lane(lane);
    }

    OperatorSubtaskState checkpoint() throws Exception {
        return harness.snapshot(++checkpoints, checkpoints);
    }

    @Override
    public void close() throws Exception {
        harness.close();
    }

    /** Has stores and hears nothing. */
    private static final class Stores extends AbstractStreamOperator<Integer>
            implements OneInputStreamOperator<Integer, Integer> {

        private final transient Collection<Table<?>> tables;
        private transient Map<String, MapState<String, byte[]>> states;
        private final transient Map<Integer, FlinkStore> lanes = new HashMap<>();

        Stores(Collection<Table<?>> tables) {
            this.tables = tables;
        }

        FlinkStore lane(int lane) {
            setCurrentKey(lane);
            return lanes.computeIfAbsent(lane, key -> new FlinkStore(states));
        }

        @Override
        public void initializeState(StateInitializationContext context) {
            states = FlinkStore.states(context.getKeyedStateStore(), tables);
        }

        @Override
        public void snapshotState(StateSnapshotContext context) {
            for (int lane : lanes.keySet()) {
                lane(lane).flush();
            }
        }

        @Override
        public void processElement(StreamRecord<Integer> element) {
            throw new UnsupportedOperationException("nothing is sent here");
        }
    }
}
