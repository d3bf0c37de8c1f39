/** The broker as the jobs see it: what is declared there, and the sources and sinks over it. */
package dev.weir.job.amqp;
