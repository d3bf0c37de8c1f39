/**
 * The two Flink jobs: {@link dev.weir.job.Main} starts the schedule job, which makes all decisions, and the mirror job, which
 * writes them to PostgreSQL.
 */
package dev.weir.job;
