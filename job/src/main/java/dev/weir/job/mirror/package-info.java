/** Row changes on their way to PostgreSQL: batched by the schedule job, written by the mirror job. */
package dev.weir.job.mirror;
