/** What a request to a queue costs: the way from a gateway over the broker through a core and back, before there is a core. */
package dev.weir.bench.queue;
