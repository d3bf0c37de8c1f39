package dev.weir.dsm.catalogue;

import dev.weir.protocol.FileInfo;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A registration that was taken before, and the entry that it made.
 *
 * @param type null for one that was taken before types and positions were kept: its entry cannot be found
 * @param file null when there is no such entry
 */
record Known(String type, long position, FileInfo file) {

    /** Whether there is nothing to do for one with the same key. */
    boolean isRepeatedBy(Item item) {
        return type == null || type.equals(item.type()) && (file == null || file.equals(item.file()));
    }

    /** Those of the items' keys that are known. */
    static Map<Item.Key, Known> read(Connection connection, List<Item> items) throws SQLException {
        Map<Item.Key, Known> known = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT dataset_uid, id, r.type, r.position, e.storage_url, e.path, e.name, e.size, e.checksum"
                        + " FROM unnest(?::text[], ?::text[]) AS k (dataset_uid, id) JOIN registration r USING (dataset_uid, id)"
                        + " LEFT JOIN entry e USING (dataset_uid, type, position)")) {
            Entries.column(select, 1, "text", items, item -> item.key().datasetUid());
            Entries.column(select, 2, "text", items, item -> item.key().id());
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    known.put(
                            new Item.Key(row.getString(1), row.getString(2)),
                            new Known(row.getString(3), row.getLong(4), file(row)));
                }
            }
        }
        return known;
    }

    private static FileInfo file(ResultSet row) throws SQLException {
        return row.getString(7) == null
                ? null
                : new FileInfo(
                        row.getString(7),
                        row.getString(5),
                        row.getString(6),
                        row.getObject(8, Long.class),
                        row.getString(9),
                        null,
                        null,
                        null);
    }
}
