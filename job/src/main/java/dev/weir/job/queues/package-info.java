/** The queues job: requests of gateways in, answers out. */
package dev.weir.job.queues;
