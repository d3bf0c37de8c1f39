package dev.weir.cli.demo;

/**
 * A pilot has started an attempt.
 *
 * @param task the uid of the task
 * @param isFirst whether it is the job's first attempt; a further attempt also takes a turn of the task
 */
record Start(String task, boolean isFirst) {}
