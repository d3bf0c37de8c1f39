package dev.weir.simulator.scenario;

import dev.weir.scheduler.api.Event;

/**
 * A message that somebody sends to Weir at a planned time: commands, repeated tasks, garbage.
 *
 * @param atMillis after the start
 * @param fault what it belongs to
 * @param task index of the task that it is about; -1 for none
 */
public record Sending(long atMillis, Fault fault, int task, Event event) {}
