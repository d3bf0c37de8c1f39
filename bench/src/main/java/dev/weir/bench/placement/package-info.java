/** Measures placement: time and memory in separate processes, moved data after changes, reading and writing of files. */
package dev.weir.bench.placement;
