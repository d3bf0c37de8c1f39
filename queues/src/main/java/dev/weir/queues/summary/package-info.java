/** What a savepoint of the queues holds, for people. */
package dev.weir.queues.summary;
