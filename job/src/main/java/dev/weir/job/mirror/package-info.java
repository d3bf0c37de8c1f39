/** The mirror in PostgreSQL: the schedule job batches row changes, the mirror job writes them. */
package dev.weir.job.mirror;
