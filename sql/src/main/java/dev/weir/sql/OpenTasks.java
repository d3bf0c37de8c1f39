package dev.weir.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * The tasks that the mirror shows as open. May lag behind the scheduler.
 *
 * @param count how many, from 1
 * @param newest the uid of the one that was accepted last
 */
public record OpenTasks(long count, String newest) {

    /**
     * Empty when there are none, also when the mirror's tables are not there. Ends within 10 s of an answer's silence.
     *
     * @param jdbcUrl of a database
     * @throws SQLException when the database cannot be asked
     */
    public static Optional<OpenTasks> in(String jdbcUrl, String user, String password) throws SQLException {
        try (Connection connection = Reachable.connect(jdbcUrl, user, password);
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("""
                    SELECT count(*) OVER (), uid FROM task_open
                     ORDER BY accepted_at DESC NULLS LAST LIMIT 1""")) {
                return rows.next() ? Optional.of(new OpenTasks(rows.getLong(1), rows.getString(2))) : Optional.empty();
            }
        } catch (SQLException e) {
            if (DatabaseAway.isNoTable(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
