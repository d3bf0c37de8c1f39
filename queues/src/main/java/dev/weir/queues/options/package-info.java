/** Every number of the queues core, with default and range. */
package dev.weir.queues.options;
