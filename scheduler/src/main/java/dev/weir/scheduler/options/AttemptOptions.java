package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import java.time.Duration;
import java.util.List;

/**
 * What happens when an attempt fails.
 *
 * @param errorRules the first matching rule gives the class; see {@link ErrorRule#defaults()}
 * @param systemRetryTime how long after its first system failure in a row a job is tried again, at least three times, in addition to the
 *     {@code retry} of the task; 24 h. 0: not at all
 * @param missingRetryTime the same for an input that is missing, while other files of the task can be read; 1 h
 * @param storageAwayAfter when this many attempts of a task in a row have failed in stage-in or stage-out, it starts hardly any fresh
 *     file and tries what has failed at least once a minute; 10. 0: never
 * @param coolOff pause before a further attempt; 1 s
 * @param coolOffFactor each failure multiplies the pause by this; 2. 1 is a fixed pause
 * @param coolOffMax longest pause; 5 min
 * @param coolOffJitter share of the pause that is random, 0 to 1; 0.2
 * @param queuedTimeout when to check whether the message of a job that no pilot has started is lost: after this, then after twice that and
 *     so on up to 64 times. It counts as lost, and the job is sent again, if a job that was sent later has started, if a pilot that
 *     prefers the pool took one of another pool, or if no job has started for this time while a pilot had none; 10 min
 * @param jobTimeout how long the program of a task without timeout_s may run; 24 h
 * @param attemptSlack what an attempt may take beside the time limit of its program; 1 h, for each ten files of a Merge job and 24 times at
 *     most. An attempt that is out for longer is stopped, and lost a lease later
 * @param autoCancelFrom a task is cancelled when this many of its jobs have failed for good, other than by system failures, and more
 *     than have finished; 10
 */
public record AttemptOptions(
        List<ErrorRule> errorRules,
        Duration systemRetryTime,
        Duration missingRetryTime,
        int storageAwayAfter,
        Duration coolOff,
        double coolOffFactor,
        Duration coolOffMax,
        double coolOffJitter,
        Duration queuedTimeout,
        Duration jobTimeout,
        Duration attemptSlack,
        int autoCancelFrom) {

    public AttemptOptions {
        errorRules = List.copyOf(errorRules);
        Range.check("system-retry-time", systemRetryTime, Duration.ZERO, Duration.ofDays(365));
        Range.check("missing-retry-time", missingRetryTime, Duration.ZERO, Duration.ofDays(365));
        Range.check("storage-away-after", storageAwayAfter, 0, 1_000_000);
        Range.check("cool-off", coolOff, Duration.ZERO, Duration.ofDays(1));
        Range.check("cool-off-factor", coolOffFactor, 1, 100);
        Range.check("cool-off-max", coolOffMax, coolOff, Duration.ofDays(30));
        Range.check("cool-off-jitter", coolOffJitter, 0, 1);
        Range.check("queued-timeout", queuedTimeout, Duration.ofMillis(1), Duration.ofDays(30));
        Range.check("job-timeout", jobTimeout, Duration.ofSeconds(1), Duration.ofDays(30));
        Range.check("attempt-slack", attemptSlack, Duration.ofMillis(1), Duration.ofDays(30));
        Range.check("auto-cancel-from", autoCancelFrom, 1, Integer.MAX_VALUE);
    }

    public static AttemptOptions defaults() {
        return new AttemptOptions(
                ErrorRule.defaults(),
                Duration.ofHours(24),
                Duration.ofHours(1),
                10,
                Duration.ofSeconds(1),
                2,
                Duration.ofMinutes(5),
                0.2,
                Duration.ofMinutes(10),
                Duration.ofHours(24),
                Duration.ofHours(1),
                10);
    }

    public AttemptOptions withErrorRules(List<ErrorRule> value) {
        return new AttemptOptions(
                value,
                systemRetryTime,
                missingRetryTime,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withSystemRetryTime(Duration value) {
        return new AttemptOptions(
                errorRules,
                value,
                missingRetryTime,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withMissingRetryTime(Duration value) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                value,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withStorageAwayAfter(int value) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                missingRetryTime,
                value,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withCoolOff(Duration first, double factor, Duration longest, double jitter) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                missingRetryTime,
                storageAwayAfter,
                first,
                factor,
                longest,
                jitter,
                queuedTimeout,
                jobTimeout,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withQueuedTimeout(Duration value) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                missingRetryTime,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                value,
                jobTimeout,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withJobTimeout(Duration value) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                missingRetryTime,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                value,
                attemptSlack,
                autoCancelFrom);
    }

    public AttemptOptions withAttemptSlack(Duration value) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                missingRetryTime,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                value,
                autoCancelFrom);
    }

    public AttemptOptions withAutoCancelFrom(int value) {
        return new AttemptOptions(
                errorRules,
                systemRetryTime,
                missingRetryTime,
                storageAwayAfter,
                coolOff,
                coolOffFactor,
                coolOffMax,
                coolOffJitter,
                queuedTimeout,
                jobTimeout,
                attemptSlack,
                value);
    }
}
