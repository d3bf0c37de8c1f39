/**
 * The two Flink jobs: {@link dev.weir.job.Main} starts the schedule job, which decides, and the mirror job, which tells
 * PostgreSQL what was decided.
 */
package dev.weir.job;
