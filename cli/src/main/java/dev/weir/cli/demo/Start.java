package dev.weir.cli.demo;

/**
 * A pilot has begun with an attempt.
 *
 * @param task the uid of the task
 * @param isFirst whether it is the job's first attempt; a further one takes the task's turn as well
 */
record Start(String task, boolean isFirst) {}
