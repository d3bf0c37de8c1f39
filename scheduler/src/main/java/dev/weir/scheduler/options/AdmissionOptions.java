package dev.weir.scheduler.options;

import dev.weir.engine.Range;
import java.time.Duration;

/**
 * Which tasks are interleaved.
 *
 * @param maxActiveTasks most tasks interleaved in one pool; 1000
 * @param maxOpenTasks most tasks of a lane that are not closed, including tasks that wait for a slot; more are rejected; 200,000
 * @param waitPerRank how long a task must wait for a slot to be worth one rank more than a newcomer; 10 min. Ageing is linear and
 *     without bound, so a waiting task is overtaken for (difference of ranks) × this long at most, and none starves
 * @param readAhead tasks that may read their first page before a slot is free; 8
 * @param closedMemory how long the uid of a closed task is remembered, so that a repetition is recognised; 30 days
 */
public record AdmissionOptions(
        int maxActiveTasks, int maxOpenTasks, Duration waitPerRank, int readAhead, Duration closedMemory) {

    public AdmissionOptions {
        Range.check("max-active-tasks", maxActiveTasks, 1, 10_000_000);
        Range.check("max-open-tasks", maxOpenTasks, 1, 10_000_000);
        Range.check("wait-per-rank", waitPerRank, Duration.ofMillis(1), Duration.ofDays(365));
        Range.check("read-ahead", readAhead, 0, 100_000);
        Range.check("closed-memory", closedMemory, Duration.ofSeconds(1), Duration.ofDays(3650));
    }

    public static AdmissionOptions defaults() {
        return new AdmissionOptions(1000, 200_000, Duration.ofMinutes(10), 8, Duration.ofDays(30));
    }

    public AdmissionOptions withMaxActiveTasks(int value) {
        return new AdmissionOptions(value, maxOpenTasks, waitPerRank, readAhead, closedMemory);
    }

    public AdmissionOptions withMaxOpenTasks(int value) {
        return new AdmissionOptions(maxActiveTasks, value, waitPerRank, readAhead, closedMemory);
    }

    public AdmissionOptions withWaitPerRank(Duration value) {
        return new AdmissionOptions(maxActiveTasks, maxOpenTasks, value, readAhead, closedMemory);
    }

    public AdmissionOptions withReadAhead(int value) {
        return new AdmissionOptions(maxActiveTasks, maxOpenTasks, waitPerRank, value, closedMemory);
    }

    public AdmissionOptions withClosedMemory(Duration value) {
        return new AdmissionOptions(maxActiveTasks, maxOpenTasks, waitPerRank, readAhead, value);
    }
}
