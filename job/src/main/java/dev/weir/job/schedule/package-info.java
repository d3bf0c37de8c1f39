/** The scheduling core inside Flink: streams become events, keyed state becomes its store, effects become outputs. */
package dev.weir.job.schedule;
