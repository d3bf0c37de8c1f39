/** The SCHEDULE operator in a Flink of its own, on RocksDB, driven from its own thread as fast as it goes. */
package dev.weir.bench.operator;
