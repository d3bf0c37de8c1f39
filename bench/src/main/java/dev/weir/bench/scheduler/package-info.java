/** {@code ./weir bench core}: what the scheduling core costs, measured with JMH in JVMs of their own. */
package dev.weir.bench.scheduler;
