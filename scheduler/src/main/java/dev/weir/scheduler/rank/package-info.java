/** Rankers: rules by which the rank of a task evolves, chosen by name and extensible. */
package dev.weir.scheduler.rank;
