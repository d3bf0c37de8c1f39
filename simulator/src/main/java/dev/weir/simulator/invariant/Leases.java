package dev.weir.simulator.invariant;

import dev.weir.protocol.Beat;
import dev.weir.protocol.ErrorType;
import dev.weir.protocol.JobRow;
import dev.weir.protocol.Report;
import dev.weir.scheduler.options.AttemptOptions;
import dev.weir.scheduler.options.PilotOptions;
import dev.weir.scheduler.options.SchedulerOptions;
import dev.weir.simulator.scenario.Fault;
import dev.weir.simulator.scenario.Scenario;
import java.util.HashMap;
import java.util.Map;

/**
 * No lease runs out early. Leases run on the clock of beats: each beat that is heard moves it by the time since the last one, but by no more than
 * a heartbeat interval. Exact for jobs of which this core has heard their pilot: the first beat after a restore counts as a whole interval,
 * which is the most that it may be. An attempt that is out for longer than it may be is renewed no more: then a lease has passed since, but for the
 * time to the next beat. Where the clock is set, an attempt may have been out for too long by a clock that is right again.
 */
final class Leases {

    private final PilotOptions options;
    private final long longestMillis;
    private final boolean clockIsSet;
    private final Map<String, Long> renewedAt = new HashMap<>();
    private long clock;
    private long beatAt = -1;

    Leases(Scenario scenario) {
        SchedulerOptions options = scenario.options();
        this.options = options.pilots();
        clockIsSet = scenario.has(Fault.CLOCK_STEP);
        AttemptOptions attempts = options.attempts();
        longestMillis = attempts.jobTimeout().plus(attempts.attemptSlack()).toMillis();
    }

    void begin(Report report, long now) {
        if (report instanceof Beat) {
            long interval = options.heartbeat().toMillis();
            clock += beatAt < 0 ? interval : Math.min(interval, now - beatAt);
            beatAt = now;
        }
    }

    void renewed(String jobUid) {
        renewedAt.put(jobUid, clock);
    }

    /** The core takes a job from its pilot because it has not heard it. */
    void expired(JobRow row, long now) {
        long lease = options.lease().toMillis();
        long overdue = now - row.startedAt().toEpochMilli() - longestMillis;
        boolean wasOverdue = clockIsSet && row.errorType() == ErrorType.TIMEOUT;
        if (wasOverdue || overdue >= lease - options.heartbeat().toMillis()) {
            return;
        }
        Long renewed = renewedAt.get(row.uid());
        Violation.check(
                renewed == null || clock - renewed >= lease,
                "no lease ends before its time",
                row,
                "was heard",
                renewed == null ? "" : clock - renewed,
                "ms ago, of",
                options.lease());
    }
}
