/**
 * The scheduling core under simulated faults: a whole world of pilots, broker, DSM and WFMS in virtual time, made from a seed, with
 * the production core in its middle and two tiers of rules that judge it.
 *
 * <p>{@link dev.weir.simulator.Simulation} runs one seed; {@link dev.weir.simulator.Simulator} runs many on all cores. The same
 * seed gives the same run, event for event.
 */
package dev.weir.simulator;
