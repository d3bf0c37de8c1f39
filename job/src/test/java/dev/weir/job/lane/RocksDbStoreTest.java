package dev.weir.job.lane;

import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;

class RocksDbStoreTest extends FlinkStoreContract {

    @Override
    StateBackend backend() {
        return new EmbeddedRocksDBStateBackend();
    }
}
