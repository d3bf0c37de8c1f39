package dev.weir.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The last start of a job.
 *
 * @param id of the start; random
 * @param words when it was, from which address, and with which directory of checkpoints
 */
public record LastStart(String id, String words) {

    /**
     * Empty when there was none, also when the mirror's tables are not there. Ends within 10 s of an answer's silence.
     *
     * @param jdbcUrl of a database
     * @throws SQLException when the database cannot be asked
     */
    public static Optional<LastStart> of(String job, String jdbcUrl, String user, String password) throws SQLException {
        try (Connection connection = Reachable.connect(jdbcUrl, user, password);
                PreparedStatement statement = connection.prepareStatement("""
                        SELECT id, to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                            || coalesce(' from ' || client, '') || ' with ' || directory
                          FROM last_start WHERE job = ?""")) {
            statement.setString(1, job);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next()
                        ? Optional.of(new LastStart(rows.getString(1), rows.getString(2)))
                        : Optional.empty();
            }
        } catch (SQLException e) {
            if (DatabaseAway.isNoTable(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * From now on this is the last start.
     *
     * @param directory of the job's checkpoints
     * @throws SQLException when that is not certain
     */
    public static void put(String job, String id, String directory, String jdbcUrl, String user, String password)
            throws SQLException {
        try (Connection connection = Reachable.connect(jdbcUrl, user, password);
                PreparedStatement statement = connection.prepareStatement("""
                        INSERT INTO last_start VALUES (?, ?, ?, host(inet_client_addr()), now())
                        ON CONFLICT (job) DO UPDATE SET id = excluded.id, directory = excluded.directory,
                          client = excluded.client, started_at = excluded.started_at""")) {
            statement.setString(1, job);
            statement.setString(2, id);
            statement.setString(3, directory);
            statement.executeUpdate();
        }
    }
}
