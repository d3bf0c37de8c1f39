/** Where a lane's state lives: tables with versioned binary codecs, behind an interface that the heap and RocksDB implement. */
package dev.weir.engine.store;
