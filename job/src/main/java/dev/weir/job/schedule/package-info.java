/** The scheduling core inside Flink: records become events, keyed state is the core's store, effects become outputs. */
package dev.weir.job.schedule;
