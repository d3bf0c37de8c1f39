/** Whose turn it is: how the tasks of a pool share it. {@code iwrr} is the one that Weir is about; others are for comparison. */
package dev.weir.scheduler.interleave;
