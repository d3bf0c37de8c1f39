/**
 * The scheduling core: every decision of Weir, in plain Java. {@link dev.weir.scheduler.Scheduler} is the entry; it takes
 * {@linkplain dev.weir.scheduler.api.Event events} and gives {@linkplain dev.weir.scheduler.api.Effect effects}.
 */
package dev.weir.scheduler;
