/**
 * Tier 1, hard: what is true under all faults. Each rule says where it is exact, and is checked there and nowhere else. {@link
 * dev.weir.simulator.invariant.Outside} sees what no restore takes back; {@link dev.weir.simulator.invariant.Invariants} sees one core between two restores.
 */
package dev.weir.simulator.invariant;
