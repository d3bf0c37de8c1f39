/**
 * Queues as a pure function of events, state and time. {@link dev.weir.queues.Queues} is the way in; it runs on {@code dev.weir.engine},
 * as the scheduler does, and knows nothing of tasks, jobs and pilots.
 */
package dev.weir.queues;
