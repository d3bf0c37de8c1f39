package dev.weir.job.lane;

import dev.weir.engine.store.Table;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/** Where a savepoint has the tables of a core: each is a map from strings to bytes, kept by lane. */
public final class KeyedTables {

    private KeyedTables() {}

    public static MapStateDescriptor<String, byte[]> descriptor(Table<?> table) {
        return new MapStateDescriptor<>(table.name(), StringSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);
    }
}
