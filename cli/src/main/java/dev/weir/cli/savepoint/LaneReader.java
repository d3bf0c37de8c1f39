package dev.weir.cli.savepoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.engine.store.Table;
import dev.weir.engine.summary.LaneSums;
import dev.weir.job.lane.KeyedTables;
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

    private final SavedCore core;
    private transient Map<Table<?>, MapState<String, byte[]>> states;

    LaneReader(SavedCore core) {
        this.core = core;
    }

    @Override
    public void open(OpenContext context) {
        states = new HashMap<>();
        for (Table<?> table : core.tables()) {
            states.put(table, getRuntimeContext().getMapState(KeyedTables.descriptor(table)));
        }
    }

    @Override
    public void readKey(Integer lane, Context context, Collector<byte[]> out) throws Exception {
        LaneSums<?> sums = core.sums();
        for (Map.Entry<Table<?>, MapState<String, byte[]>> state : states.entrySet()) {
            for (Map.Entry<String, byte[]> entry : state.getValue().entries()) {
                sums.add(state.getKey(), entry.getKey(), entry.getValue());
            }
        }
        out.collect(JSON.writeValueAsBytes(sums.of(lane)));
    }
}
