/** {@code ./weir bench core}: the cost of the scheduling core, measured with JMH in separate JVMs. */
package dev.weir.bench.scheduler;
