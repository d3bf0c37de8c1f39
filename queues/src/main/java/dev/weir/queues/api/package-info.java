/** What the queues hear and what they decide. */
package dev.weir.queues.api;
