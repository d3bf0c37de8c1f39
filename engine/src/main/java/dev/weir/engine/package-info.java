/**
 * Runs an application as a pure function of events, state and time. {@link dev.weir.engine.Engine} lists the steps of an
 * event; the other classes are what an application works with: a unit of work, timers, a lease clock, remembered ids and an outbox of
 * effects. Nothing here knows of tasks, jobs or pilots.
 */
package dev.weir.engine;
