/**
 * The pilot: an agent on a worker node that takes one job at a time and runs it. {@link dev.weir.pilot.Pilot} is the agent, {@link
 * dev.weir.pilot.PilotCommand} its command; {@code broker} speaks AMQP, {@code run} runs jobs, {@code storage} moves files.
 */
package dev.weir.pilot;
