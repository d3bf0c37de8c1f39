/** The waiting files of a task: the index in memory that finds the next one at constant cost. */
package dev.weir.scheduler.backlog;
