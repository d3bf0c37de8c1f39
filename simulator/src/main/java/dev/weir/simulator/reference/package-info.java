/**
 * Tier 2, exact: a naive scheduler for calm worlds that looks at all files and tasks each time, and says what the core does. {@link
 * dev.weir.simulator.reference.Reference} compares; there are no bounds.
 */
package dev.weir.simulator.reference;
