/** The broker: its topology, and the sources and sinks of the jobs. */
package dev.weir.job.amqp;
