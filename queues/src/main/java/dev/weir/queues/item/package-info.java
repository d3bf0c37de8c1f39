/** An item's way: pushed, popped, leased, ended; and what is done to whole queues. */
package dev.weir.queues.item;
