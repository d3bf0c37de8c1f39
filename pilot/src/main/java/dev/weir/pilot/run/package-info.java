/**
 * One attempt of one job, from its message to its result: {@link dev.weir.pilot.run.Attempt} is the sequence, every other class
 * is one step of it. Nothing here knows AMQP.
 */
package dev.weir.pilot.run;
