package dev.weir.dsm.catalogue;

import dev.weir.protocol.FileInfo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Writing entries, many with one statement: an array per column is one round trip and one plan, however many rows. */
final class Entries {

    record Entry(String datasetUid, String type, long position, FileInfo file, String jobUid) {}

    private Entries() {}

    static void insert(Connection connection, List<Entry> entries) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO entry (dataset_uid, type, position, name, storage_url, path, size, checksum, job_uid)"
                        + " SELECT * FROM unnest(?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::bigint[],"
                        + " ?::text[], ?::text[])")) {
            column(insert, 1, "text", entries, Entry::datasetUid);
            column(insert, 2, "text", entries, Entry::type);
            column(insert, 3, "bigint", entries, Entry::position);
            column(insert, 4, "text", entries, entry -> entry.file().name());
            column(insert, 5, "text", entries, entry -> entry.file().storageUrl());
            column(insert, 6, "text", entries, entry -> entry.file().path());
            column(insert, 7, "bigint", entries, entry -> entry.file().size());
            column(insert, 8, "text", entries, entry -> entry.file().checksum());
            column(insert, 9, "text", entries, Entry::jobUid);
            insert.executeUpdate();
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
