/** The operator "Schedule" in a separate Flink on RocksDB, driven by its own thread at full speed. */
package dev.weir.bench.operator;
