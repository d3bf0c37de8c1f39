/** What is said to queues and by them: keys with payloads that wait, are leased to workers, and end. */
package dev.weir.protocol.queue;
