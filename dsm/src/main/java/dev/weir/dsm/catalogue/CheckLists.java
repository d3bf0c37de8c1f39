package dev.weir.dsm.catalogue;

import dev.weir.protocol.Registration;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Closing check-lists: gathered part by part, and once complete compared with what was registered, by file name. A name is
 * what follows the last slash; names are unique within an output dataset, because they carry position and attempt.
 */
final class CheckLists {

    /** Of those that differ. */
    private static final int SHOWN_NAMES = 100;

    private CheckLists() {}

    /** Whether this part is in the dataset's list with these names, in any order, and the list has as many parts as it says. */
    static boolean holds(Connection connection, Registration.Close close) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("SELECT NOT EXISTS (SELECT unnest(c.names) EXCEPT SELECT unnest(l.names))"
                        + " AND NOT EXISTS (SELECT unnest(l.names) EXCEPT SELECT unnest(c.names))"
                        + " FROM dataset d JOIN check_part c ON c.dataset_uid = d.uid, (SELECT ?::text[] AS names) AS l"
                        + " WHERE d.uid = ? AND d.parts = ? AND c.part = ?")) {
            select.setArray(1, names(connection, close));
            select.setString(2, close.datasetUid());
            select.setInt(3, close.parts());
            select.setInt(4, close.part());
            try (ResultSet row = select.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Keeps a part in the place of an earlier one with its number. What has come last says how many parts there are. */
    static void keep(Connection connection, Registration.Close close) throws SQLException {
        String replaced = "SELECT unnest(names) FROM check_part WHERE dataset_uid = d.uid AND (part = ? OR part > ?)";
        String listed = "SELECT unnest(?::text[])";
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE dataset d SET parts = ?, changes = changes + greatest((SELECT count(*) FROM (" + replaced
                        + " EXCEPT " + listed + ") AS gone), (SELECT count(*) FROM (" + listed + " EXCEPT " + replaced
                        + ") AS came)) WHERE uid = ?")) {
            update.setInt(1, close.parts());
            update.setInt(2, close.part());
            update.setInt(3, close.parts());
            update.setArray(4, names(connection, close));
            update.setArray(5, names(connection, close));
            update.setInt(6, close.part());
            update.setInt(7, close.parts());
            update.setString(8, close.datasetUid());
            update.executeUpdate();
        }
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM check_part WHERE dataset_uid = ? AND part > ?")) {
            delete.setString(1, close.datasetUid());
            delete.setInt(2, close.parts());
            delete.executeUpdate();
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO check_part (dataset_uid, part, names) VALUES (?, ?, ?)"
                        + " ON CONFLICT (dataset_uid, part) DO UPDATE SET names = EXCLUDED.names")) {
            insert.setString(1, close.datasetUid());
            insert.setInt(2, close.part());
            insert.setArray(3, names(connection, close));
            insert.executeUpdate();
        }
    }

    private static Array names(Connection connection, Registration.Close close) throws SQLException {
        return connection.createArrayOf(
                "text", close.checkList().stream().map(CheckLists::name).toArray());
    }

    /** PostgreSQL's text has no NUL; a name with one was never registered either. */
    private static String name(String listed) {
        return listed.substring(listed.lastIndexOf('/') + 1).replace('\0', '\uFFFD');
    }

    /**
     * Compares those of the datasets whose list is complete: an open one when its last part comes, and one that differed once enough
     * has changed that it can be equal. A change takes at most one name from the missing and one from the unexpected, be it of an entry
     * or of the list.
     */
    static void compare(Connection connection, Set<String> datasets) throws SQLException {
        List<String> complete = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT uid FROM dataset d WHERE uid = ANY (?::text[])"
                        + " AND (state = 'open' OR state = 'mismatch' AND changes >= greatest(missing, unexpected))"
                        + " AND parts = (SELECT count(*) FROM check_part c WHERE c.dataset_uid = d.uid) ORDER BY uid")) {
            Entries.column(select, 1, "text", List.copyOf(datasets), uid -> uid);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    complete.add(row.getString(1));
                }
            }
        }
        if (complete.isEmpty()) {
            return;
        }
        // Ten million names take minutes. One that is cut off would be tried for ever, and no registration taken again;
        // TCP's keep-alive notices a database that is gone.
        int usual = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, 0);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL statement_timeout = 0");
        }
        for (String uid : complete) {
            compare(connection, uid);
        }
        connection.setNetworkTimeout(Runnable::run, usual);
    }

    private static String first(String names) {
        return "ARRAY(SELECT name FROM " + names + " ORDER BY name LIMIT " + SHOWN_NAMES + ")";
    }

    private static void compare(Connection connection, String uid) throws SQLException {
        String listed = "SELECT unnest(names) AS name FROM check_part WHERE dataset_uid = ?";
        String registered = "SELECT name FROM entry WHERE dataset_uid = ?";
        try (PreparedStatement update = connection.prepareStatement("WITH missing AS (" + listed + " EXCEPT "
                + registered
                + "), unexpected AS (" + registered + " EXCEPT " + listed + ")"
                + " UPDATE dataset SET missing = (SELECT count(*) FROM missing), unexpected = (SELECT count(*) FROM unexpected),"
                + " missing_names = " + first("missing") + ", unexpected_names = " + first("unexpected") + ","
                + " state = CASE WHEN EXISTS (SELECT FROM missing) OR EXISTS (SELECT FROM unexpected) THEN 'mismatch'"
                + " ELSE 'closed' END, closed_at = coalesce(closed_at, now()), changes = 0 WHERE uid = ?")) {
            for (int i = 1; i <= 5; i++) {
                update.setString(i, uid);
            }
            update.executeUpdate();
        }
    }
}
