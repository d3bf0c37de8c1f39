package dev.weir.scheduler.options;

import java.time.Duration;
import java.util.List;

/**
 * What happens when an attempt fails.
 *
 * @param errorRules the first matching rule gives the class; see {@link ErrorRule#defaults()}
 * @param systemRetries further attempts after system failures, in addition to the {@code retry} of the task; 10
 * @param coolOff pause before a further attempt; 1 s
 * @param coolOffFactor each failure multiplies the pause by this; 2. 1 is a fixed pause
 * @param coolOffMax longest pause; 5 min
 * @param coolOffJitter share of the pause that is random, 0 to 1; 0.2
 * @param queuedTimeout when to check whether the message of a job that no pilot has started is lost: after this, then after twice that and
 *     so on up to 64 times. It counts as lost, and the job is sent again, if a job that was sent later has started, if a pilot that
 *     prefers the pool took one of another pool, or if no job has started for this time while a pilot had none; 10 min
 * @param jobTimeout how long the program of a task without timeout_s may run; 24 h
 * @param autoCancelFrom a task with this many finally failed jobs is cancelled if they exceed its finished jobs; 10
 */
public record AttemptOptions(
        List<ErrorRule> errorRules,
        int systemRetries,
        Duration coolOff,
        double coolOffFactor,
        Duration coolOffMax,
        double coolOffJitter,
        Duration queuedTimeout,
        Duration jobTimeout,
        int autoCancelFrom) {

    public AttemptOptions {
        errorRules = List.copyOf(errorRules);
        Range.check("system-retries", systemRetries, 0, 1000);
        Range.check("cool-off", coolOff, Duration.ZERO, Duration.ofDays(1));
        Range.check("cool-off-factor", coolOffFactor, 1, 100);
        Range.check("cool-off-max", coolOffMax, coolOff, Duration.ofDays(30));
        Range.check("cool-off-jitter", coolOffJitter, 0, 1);
        Range.check("queued-timeout", queuedTimeout, Duration.ofMillis(1), Duration.ofDays(30));
        Range.check("job-timeout", jobTimeout, Duration.ofSeconds(1), Duration.ofDays(30));
        Range.check("auto-cancel-from", autoCancelFrom, 1, Integer.MAX_VALUE);
    }

    public static AttemptOptions defaults() {
        return new AttemptOptions(
                ErrorRule.defaults(),
                10,
                Duration.ofSeconds(1),
                2,
                Duration.ofMinutes(5),
                0.2,
                Duration.ofMinutes(10),
                Duration.ofHours(24),
                10);
    }

    public AttemptOptions withErrorRules(List<ErrorRule> value) {
        return new AttemptOptions(
                value,
                systemRetries,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                autoCancelFrom);
    }

    public AttemptOptions withSystemRetries(int value) {
        return new AttemptOptions(
                errorRules,
                value,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                autoCancelFrom);
    }

    public AttemptOptions withCoolOff(Duration first, double factor, Duration longest, double jitter) {
        return new AttemptOptions(
                errorRules, systemRetries, first, factor, longest, jitter, queuedTimeout, jobTimeout, autoCancelFrom);
    }

    public AttemptOptions withQueuedTimeout(Duration value) {
        return new AttemptOptions(
                errorRules,
                systemRetries,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                value,
                jobTimeout,
                autoCancelFrom);
    }

    public AttemptOptions withJobTimeout(Duration value) {
        return new AttemptOptions(
                errorRules,
                systemRetries,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                value,
                autoCancelFrom);
    }

    public AttemptOptions withAutoCancelFrom(int value) {
        return new AttemptOptions(
                errorRules,
                systemRetries,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                value);
    }
}
