/**
 * Places chunks on workers: consistent hashing with bounded loads on many rings, stateless, so that the same input always gives
 * the same assignment. {@link dev.weir.placement.Placement} is the way in and reads as the whole algorithm. In the order
 * in which it uses them: {@code input} (what to place), {@code replication} (how often), {@code ring} (from where to look),
 * {@code distribute} (finding the worker); {@code files} reads the input and writes the results. Depends on nothing else of Weir.
 */
package dev.weir.placement;
