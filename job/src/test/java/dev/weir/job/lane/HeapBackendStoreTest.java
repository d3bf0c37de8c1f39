package dev.weir.job.lane;

import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;

class HeapBackendStoreTest extends FlinkStoreContract {

    @Override
    StateBackend backend() {
        return new HashMapStateBackend();
    }
}
