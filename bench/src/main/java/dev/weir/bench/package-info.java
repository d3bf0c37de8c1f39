/**
 * Measures Weir and compares the results with the goals. Read {@link dev.weir.bench.Benchmark} first; a benchmark lives in a
 * package named after what it measures ({@code dev.weir.bench.placement}, {@code dev.weir.bench.scheduler} …), is listed in
 * {@code META-INF/services/dev.weir.bench.Benchmark}, and is run by {@code ./weir bench NAME}.
 */
package dev.weir.bench;
