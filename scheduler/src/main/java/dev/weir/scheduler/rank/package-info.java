/** How the rank of a task evolves, by rules that are chosen by name and open to more. */
package dev.weir.scheduler.rank;
