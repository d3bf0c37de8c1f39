/** The files of a task that wait: chunks of state, and the index in memory that finds the next one at a constant cost. */
package dev.weir.scheduler.backlog;
