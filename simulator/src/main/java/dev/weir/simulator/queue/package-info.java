/**
 * The core of the queues under simulated faults: gateways, workers and a broker drawn from a seed, and a naive queue that looks at all
 * items each time and says what the core must answer. {@link dev.weir.simulator.queue.QueueSimulation} runs one seed.
 */
package dev.weir.simulator.queue;
