/**
 * What goes into a scheduler and what comes out: {@linkplain dev.weir.scheduler.api.Event events},
 * {@linkplain dev.weir.scheduler.api.Effect effects} and {@linkplain dev.weir.scheduler.api.SchedulerMetrics figures}.
 */
package dev.weir.scheduler.api;
