/** Asks Weir's queues, many requests in one message, and waits for the answers without threads. */
package dev.weir.gateway.queues;
