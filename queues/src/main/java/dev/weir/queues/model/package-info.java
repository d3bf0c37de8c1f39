/** Queues, owners, items that wait, and leases in memory: data, and the orders that it is kept in. */
package dev.weir.queues.model;
