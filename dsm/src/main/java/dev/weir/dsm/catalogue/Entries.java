package dev.weir.dsm.catalogue;

import dev.weir.protocol.FileInfo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Writing entries, many with one statement: an array per column is one round trip and one plan, however many rows. */
final class Entries {

    private static final String COLUMNS =
            "(dataset_uid, type, position, name, storage_url, path, size, checksum, job_uid)";
    private static final String ROWS = "unnest(?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[],"
            + " ?::bigint[], ?::text[], ?::text[])";

    record Entry(String datasetUid, String type, long position, FileInfo file, String jobUid) {}

    private Entries() {}

    static void insert(Connection connection, List<Entry> entries) throws SQLException {
        write(connection, "INSERT INTO entry " + COLUMNS + " SELECT * FROM " + ROWS, entries);
    }

    /** Puts these in the places of those that have their positions. */
    static void replace(Connection connection, List<Entry> entries) throws SQLException {
        write(
                connection,
                "UPDATE entry e SET name = n.name, storage_url = n.storage_url, path = n.path, size = n.size,"
                        + " checksum = n.checksum, job_uid = n.job_uid FROM " + ROWS + " AS n " + COLUMNS
                        + " WHERE e.dataset_uid = n.dataset_uid AND e.type = n.type AND e.position = n.position",
                entries);
    }

    private static void write(Connection connection, String sql, List<Entry> entries) throws SQLException {
        if (entries.isEmpty()) {
            return;
        }
        try (PreparedStatement write = connection.prepareStatement(sql)) {
            column(write, 1, "text", entries, Entry::datasetUid);
            column(write, 2, "text", entries, Entry::type);
            column(write, 3, "bigint", entries, Entry::position);
            column(write, 4, "text", entries, entry -> entry.file().name());
            column(write, 5, "text", entries, entry -> entry.file().storageUrl());
            column(write, 6, "text", entries, entry -> entry.file().path());
            column(write, 7, "bigint", entries, entry -> entry.file().size());
            column(write, 8, "text", entries, entry -> entry.file().checksum());
            column(write, 9, "text", entries, Entry::jobUid);
            write.executeUpdate();
        }
    }

    static <T> void column(PreparedStatement statement, int index, String type, List<T> rows, Function<T, Object> value)
            throws SQLException {
        Object[] values = new Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(rows.get(i));
        }
        statement.setArray(index, statement.getConnection().createArrayOf(type, values));
    }
}
