/** The values that the queues keep in state. */
package dev.weir.queues.state;
