/** Finds a worker for every virtual chunk: start places in parallel, in blocks; then one thread assigns in order. */
package dev.weir.placement.distribute;
