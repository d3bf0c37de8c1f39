package dev.weir.job.mirror;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At each tick merges late rows into the archive, moves closed tasks to it and forgets old attempts and commands, slice by slice until none is left or the time of
 * the tick is used up. Once a day it drops the days beyond the retention. When the database is unavailable or busy it tries again at the
 * next tick. What fails at one of these does not keep it from the others. When Flink cancels the task, which interrupts its thread, it ends
 * after the slice under way: all of a tick may take longer than Flink waits before it ends the TaskManager.
 */
class KeepArchive extends ProcessFunction<Long, Void> {

    private static final Logger LOG = LoggerFactory.getLogger(KeepArchive.class);
    private static final int STATEMENT_TIMEOUT_SECONDS = 30;

    /** What SQL says when a statement's time is over. */
    private static final String CANCELLED = "57014";

    /** A slice takes well under a second on an idle machine, so even a slow slice ends long before the statement's timeout. */
    private static final int ROWS_AT_ONCE = 20_000;

    private static final int FEWEST_ROWS = 500;

    /** Checkpoints wait for these. */
    private static final long NANOS_FOR_MOVING = TimeUnit.SECONDS.toNanos(10);

    private static final long NANOS_FOR_FORGETTING = TimeUnit.SECONDS.toNanos(2);

    private static final long NANOS_BETWEEN_PRUNES = TimeUnit.DAYS.toNanos(1);

    private final Database database;
    private final int keepDays;
    private int rowsToMove = ROWS_AT_ONCE;
    private transient boolean pruned;
    private transient long prunedNanos;
    /** When a tick last left nothing to do; metrics are read by other threads. */
    private transient volatile long completeNanos;

    KeepArchive(Database database, int keepDays) {
        this.database = database;
        this.keepDays = keepDays;
    }

    @Override
    public void open(OpenContext context) {
        Gauge<Long> age = this::secondsSinceComplete;
        getRuntimeContext().getMetricGroup().gauge("archive_age_s", age);
        begin();
    }

    void begin() {
        completeNanos = nanoTime();
    }

    /** Since a tick last did all its work and left nothing to do, or since the start. */
    long secondsSinceComplete() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoTime() - completeNanos);
    }

    long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void processElement(Long tick, Context context, Collector<Void> out) {
        try (Connection connection = database.connect()) {
            // First what makes room: on a full disk the others may fail for ever.
            boolean complete = attempt("Old days were not dropped from the archive", () -> pruneOnceADay(connection));
            complete &= attempt("Rows that came late were not merged into the archive", () -> merge(connection));
            complete &= attempt("Closed tasks were not moved to the archive", () -> move(connection));
            complete &= attempt(
                    "Old attempts and commands were not forgotten",
                    () -> inSlices(
                            connection, "weir_forget(" + keepDays + ", " + ROWS_AT_ONCE + ")", NANOS_FOR_FORGETTING));
            if (complete) {
                completeNanos = nanoTime();
            }
        } catch (SQLException e) {
            LOG.warn(
                    "The archive of {} was not kept; the next attempt follows in a minute: {}",
                    database,
                    e.getMessage());
        }
    }

    private interface Step {
        /** True if nothing is left to do. */
        boolean take() throws SQLException;
    }

    private boolean attempt(String failed, Step step) {
        try {
            return !isCancelled() && step.take();
        } catch (SQLException e) {
            LOG.warn("{} in {}; the next attempt follows in a minute: {}", failed, database, e.getMessage());
            return false;
        }
    }

    private static boolean merge(Connection connection) throws SQLException {
        return call(connection, "weir_archive_latecomers(" + ROWS_AT_ONCE + ")") < ROWS_AT_ONCE;
    }

    /** On a slow database smaller slices still get on. */
    private boolean move(Connection connection) throws SQLException {
        try {
            boolean all =
                    inSlices(connection, "weir_archive_closed(most_rows => " + rowsToMove + ")", NANOS_FOR_MOVING);
            rowsToMove = Math.min(ROWS_AT_ONCE, rowsToMove + FEWEST_ROWS);
            return all;
        } catch (SQLException e) {
            if (CANCELLED.equals(e.getSQLState())) {
                rowsToMove = Math.max(FEWEST_ROWS, rowsToMove / 4);
            }
            throw e;
        }
    }

    /** Each slice is a separate transaction, so a later failure does not undo it. True if the last one found nothing more. */
    private static boolean inSlices(Connection connection, String function, long nanos) throws SQLException {
        long begun = System.nanoTime();
        boolean more = true;
        while (more && !isCancelled() && System.nanoTime() - begun < nanos) {
            more = call(connection, function) > 0;
        }
        return !more;
    }

    /** Leaves the flag as it is: Flink looks at it, too. */
    private static boolean isCancelled() {
        return Thread.currentThread().isInterrupted();
    }

    private static int call(Connection connection, String function) throws SQLException {
        try (PreparedStatement call = connection.prepareStatement("SELECT " + function)) {
            call.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            try (ResultSet result = call.executeQuery()) {
                return result.next() ? result.getInt(1) : 0;
            }
        }
    }

    private boolean pruneOnceADay(Connection connection) throws SQLException {
        if (!pruned || System.nanoTime() - prunedNanos >= NANOS_BETWEEN_PRUNES) {
            // Days by themselves first: they stay dropped, whatever becomes of the rest.
            pruned = inSlices(connection, "weir_archive_prune_days(" + keepDays + ")", NANOS_FOR_MOVING)
                    && inSlices(connection, "weir_archive_prune(" + keepDays + ")", NANOS_FOR_MOVING);
            prunedNanos = System.nanoTime();
            return pruned;
        }
        return true;
    }
}
