package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import java.time.Duration;

/**
 * How long commands are remembered, and how long they wait for their task.
 *
 * @param memory how long a command's id is remembered; 30 days
 * @param waitForTask how long a command waits for an unknown task before it is rejected; 10 min
 * @param maxWaiting most commands that wait for their tasks; more are rejected at once; 10,000
 */
public record CommandOptions(Duration memory, Duration waitForTask, int maxWaiting) {

    public CommandOptions {
        Range.check("memory", memory, Duration.ofSeconds(1), Duration.ofDays(3650));
        Range.check("wait-for-task", waitForTask, Duration.ZERO, Duration.ofDays(1));
        Range.check("max-waiting", maxWaiting, 0, 1_000_000);
    }

    public static CommandOptions defaults() {
        return new CommandOptions(Duration.ofDays(30), Duration.ofMinutes(10), 10_000);
    }
}
