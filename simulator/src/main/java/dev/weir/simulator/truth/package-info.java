/**
 * What must be true, derived from the design and never from the core's code: a ledger of every task and job, the limits, the
 * fairness bound, and what can't be taken back once it has left.
 */
package dev.weir.simulator.truth;
