/** Policies by which the tasks of a pool take turns. {@code iwrr} is the default; {@code wrr} and {@code wfq} are for comparison. */
package dev.weir.engine.interleave;
