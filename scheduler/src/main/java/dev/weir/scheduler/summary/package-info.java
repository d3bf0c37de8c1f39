/** What is in the state of a lane, for people: read from its tables, without building the scheduler. */
package dev.weir.scheduler.summary;
