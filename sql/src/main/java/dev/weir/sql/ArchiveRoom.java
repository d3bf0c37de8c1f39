package dev.weir.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How many days of archive a server has locks for: the plan of a list of tasks locks eight relations of each day, in every connection of the gateway at once,
 * and where there is no lock left the list fails.
 *
 * @param locks of {@code max_locks_per_transaction}
 * @param transactions for each of which there are so many: connections, and prepared ones
 */
public record ArchiveRoom(int locks, int transactions) {

    /** Measured: the lists of seventeen connections at once work with the defaults of PostgreSQL, 64 and 100, over 230 days, and over 260 they fail. */
    private static final int LOCKS_OF_A_DAY = 35;

    /** With few connections to the server there are few readers. */
    private static final int ALWAYS = 90;

    /**
     * Ends within 10 s of an answer's silence.
     *
     * @throws SQLException when the database cannot be asked
     */
    public static ArchiveRoom of(String jdbcUrl, String user, String password) throws SQLException {
        try (Connection connection = Reachable.connect(jdbcUrl, user, password);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        SELECT current_setting('max_locks_per_transaction')::int,
                               current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int""")) {
            row.next();
            return new ArchiveRoom(row.getInt(1), row.getInt(2));
        }
    }

    /** For how many days there are locks. */
    public int days() {
        return (int) Math.max(ALWAYS, (long) locks * transactions / LOCKS_OF_A_DAY);
    }

    /** The {@code max_locks_per_transaction} for so many days. */
    public int locksFor(int days) {
        return (days * LOCKS_OF_A_DAY + transactions - 1) / transactions;
    }
}
