/** The start of a job: from its newest checkpoint, from a given one, or with empty state; on a cluster and in one process. */
package dev.weir.job.start;
