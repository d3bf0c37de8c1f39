/** Measures placement: time and memory in processes of their own, what moves when something changes, and files. */
package dev.weir.bench.placement;
