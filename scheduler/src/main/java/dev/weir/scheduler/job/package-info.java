/**
 * The life of a job: it is dispatched, is in flight, is reported about, ends an attempt, is tried again or is over. Reports about
 * attempts that a restore has forgotten are adopted.
 */
package dev.weir.scheduler.job;
