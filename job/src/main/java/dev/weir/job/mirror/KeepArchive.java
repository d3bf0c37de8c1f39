package dev.weir.job.mirror;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At each tick moves closed tasks to the archive and forgets old attempts and commands, slice by slice until none is left or the time of
 * the tick is used up. Once a day it drops the days beyond the retention. When the database is unavailable or busy it tries again at the
 * next tick. What fails at one of these does not keep it from the others.
 */
final class KeepArchive extends ProcessFunction<Long, Void> {

    private static final Logger LOG = LoggerFactory.getLogger(KeepArchive.class);
    private static final int STATEMENT_TIMEOUT_SECONDS = 30;

    /** A slice takes well under a second on an idle machine, so even a slow slice ends long before the statement's timeout. */
    private static final int ROWS_AT_ONCE = 20_000;

    /** Checkpoints wait for both. */
    private static final long NANOS_FOR_MOVING = TimeUnit.SECONDS.toNanos(10);

    private static final long NANOS_FOR_FORGETTING = TimeUnit.SECONDS.toNanos(2);

    private static final long NANOS_BETWEEN_PRUNES = TimeUnit.DAYS.toNanos(1);

    private final Database database;
    private final int keepDays;
    private transient boolean pruned;
    private transient long prunedNanos;

    KeepArchive(Database database, int keepDays) {
        this.database = database;
        this.keepDays = keepDays;
    }

    @Override
    public void processElement(Long tick, Context context, Collector<Void> out) {
        try (Connection connection = database.connect()) {
            // First what makes room: on a full disk the others may fail for ever.
            attempt("Old days were not dropped from the archive", () -> pruneOnceADay(connection));
            attempt(
                    "Closed tasks were not moved to the archive",
                    () -> inSlices(
                            connection, "weir_archive_closed(most_rows => " + ROWS_AT_ONCE + ")", NANOS_FOR_MOVING));
            attempt(
                    "Old attempts and commands were not forgotten",
                    () -> inSlices(
                            connection, "weir_forget(" + keepDays + ", " + ROWS_AT_ONCE + ")", NANOS_FOR_FORGETTING));
        } catch (SQLException e) {
            LOG.warn(
                    "The archive of {} was not kept; the next attempt follows in a minute: {}",
                    database,
                    e.getMessage());
        }
    }

    private interface Step {
        void take() throws SQLException;
    }

    private void attempt(String failed, Step step) {
        try {
            step.take();
        } catch (SQLException e) {
            LOG.warn("{} in {}; the next attempt follows in a minute: {}", failed, database, e.getMessage());
        }
    }

    /** Each slice is a separate transaction, so a later failure does not undo it. */
    private static void inSlices(Connection connection, String function, long nanos) throws SQLException {
        try (PreparedStatement slice = connection.prepareStatement("SELECT " + function)) {
            slice.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            long begun = System.nanoTime();
            boolean more = true;
            while (more && System.nanoTime() - begun < nanos) {
                try (ResultSet rows = slice.executeQuery()) {
                    more = rows.next() && rows.getInt(1) > 0;
                }
            }
        }
    }

    private void pruneOnceADay(Connection connection) throws SQLException {
        if (pruned && System.nanoTime() - prunedNanos < NANOS_BETWEEN_PRUNES) {
            return;
        }
        try (PreparedStatement prune = connection.prepareStatement("SELECT weir_archive_prune(?)")) {
            prune.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            prune.setInt(1, keepDays);
            prune.execute();
        }
        prunedNanos = System.nanoTime();
        pruned = true;
    }
}
