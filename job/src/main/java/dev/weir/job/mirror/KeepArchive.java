package dev.weir.job.mirror;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At each tick moves closed tasks into the archive and drops the days that are older than what is kept. A database that is away or
 * busy is tried again at the next tick: nothing depends on when it happens.
 */
final class KeepArchive extends ProcessFunction<Long, Void> {

    private static final Logger LOG = LoggerFactory.getLogger(KeepArchive.class);
    private static final int STATEMENT_TIMEOUT_SECONDS = 30;

    private final Database database;
    private final int keepDays;

    KeepArchive(Database database, int keepDays) {
        this.database = database;
        this.keepDays = keepDays;
    }

    @Override
    public void processElement(Long tick, Context context, Collector<Void> out) {
        try (Connection connection = database.connect();
                PreparedStatement move = connection.prepareStatement("SELECT weir_archive_closed()");
                PreparedStatement prune = connection.prepareStatement("SELECT weir_archive_prune(?)")) {
            move.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            move.execute();
            prune.setQueryTimeout(STATEMENT_TIMEOUT_SECONDS);
            prune.setInt(1, keepDays);
            prune.execute();
        } catch (SQLException e) {
            LOG.warn("The archive in {} was not kept this time, it is tried again: {}", database, e.getMessage());
        }
    }
}
