package dev.weir.cli.savepoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.engine.store.Table;
import dev.weir.job.lane.KeyedTables;
import dev.weir.scheduler.Scheduler;
import dev.weir.scheduler.summary.StateSummary;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.util.Collector;

/** Sums up the tables of each lane. Its results are JSON, because Flink's generic serialization is off. */
final class LaneReader extends KeyedStateReaderFunction<Integer, byte[]> {

    private static final long serialVersionUID = 1;

    static final ObjectMapper JSON = new ObjectMapper();

    private transient Map<Table<?>, MapState<String, byte[]>> states;

    @Override
    public void open(OpenContext context) {
        states = new HashMap<>();
        for (Table<?> table : Scheduler.tables()) {
            states.put(table, getRuntimeContext().getMapState(KeyedTables.descriptor(table)));
        }
    }

    @Override
    public void readKey(Integer lane, Context context, Collector<byte[]> out) throws Exception {
        StateSummary summary = new StateSummary();
        for (Map.Entry<Table<?>, MapState<String, byte[]>> state : states.entrySet()) {
            for (Map.Entry<String, byte[]> entry : state.getValue().entries()) {
                summary.add(state.getKey(), entry.getKey(), entry.getValue());
            }
        }
        out.collect(JSON.writeValueAsBytes(summary.of(lane)));
    }
}
