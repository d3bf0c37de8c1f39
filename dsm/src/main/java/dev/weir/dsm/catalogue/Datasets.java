package dev.weir.dsm.catalogue;

import dev.weir.protocol.FileInfo;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Reading datasets, and adding complete ones. */
public final class Datasets {

    /** Rows that travel from the database at once while a dataset is streamed. */
    private static final int FETCH_ROWS = 2_000;

    /** Takes one file after another, in order. */
    @FunctionalInterface
    public interface Sink {
        void take(FileInfo file) throws SQLException;
    }

    private final Catalogue catalogue;

    public Datasets(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * Whether there is such a complete dataset with these files in this order; checksums are not compared.
     *
     * @throws DatasetConflict when the uid has other files
     */
    public boolean contains(String uid, List<FileInfo> files) throws SQLException {
        return catalogue.transact(connection -> {
            if (status(connection, uid).isEmpty()) {
                return false;
            }
            int[] next = {0};
            stream(connection, uid, "file", 0, Long.MAX_VALUE, stored -> {
                if (next[0] >= files.size() || !sameFile(stored, files.get(next[0]++))) {
                    throw new DatasetConflict(uid);
                }
            });
            if (next[0] != files.size()) {
                throw new DatasetConflict(uid);
            }
            return true;
        });
    }

    private static boolean sameFile(FileInfo one, FileInfo other) {
        return one.url().equals(other.url()) && Objects.equals(one.size(), other.size());
    }

    /** Adds a complete dataset; all or nothing. The uid must be free, else {@link DatasetConflict}. */
    public void add(String uid, List<FileInfo> files) throws SQLException {
        catalogue.transact(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO dataset (uid, state, files, closed_at) VALUES (?, 'closed', ?, now()) ON CONFLICT DO NOTHING")) {
                insert.setString(1, uid);
                insert.setLong(2, files.size());
                if (insert.executeUpdate() == 0) {
                    throw new DatasetConflict(uid);
                }
            }
            List<Entries.Entry> batch = new ArrayList<>();
            for (int i = 0; i < files.size(); i++) {
                batch.add(new Entries.Entry(uid, "file", i, files.get(i), null));
                if (batch.size() == FETCH_ROWS || i == files.size() - 1) {
                    Entries.insert(connection, batch);
                    batch.clear();
                }
            }
            return null;
        });
    }

    /** Gives the entries from offset on, at most limit, to the sink. Positions are dense, so the key finds the first at once. */
    public static void stream(Connection connection, String uid, String type, long offset, long limit, Sink sink)
            throws SQLException {
        long end = offset > Long.MAX_VALUE - limit ? Long.MAX_VALUE : offset + limit;
        try (PreparedStatement select =
                connection.prepareStatement("SELECT name, storage_url, path, size, checksum FROM entry"
                        + " WHERE dataset_uid = ? AND type = ? AND position >= ? AND position < ? ORDER BY position")) {
            select.setFetchSize(FETCH_ROWS);
            select.setString(1, uid);
            select.setString(2, type);
            select.setLong(3, offset);
            select.setLong(4, end);
            String shownType = type.equals("file") ? null : type;
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    sink.take(new FileInfo(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getObject(4, Long.class),
                            row.getString(5),
                            shownType,
                            null,
                            null));
                }
            }
        }
    }

    public Optional<DatasetStatus> status(String uid) throws SQLException {
        return catalogue.transact(connection -> status(connection, uid));
    }

    /** Within a transaction of the caller. */
    public static Optional<DatasetStatus> status(Connection connection, String uid) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT state, files, logs, parts, (SELECT count(*) FROM check_part c WHERE c.dataset_uid = uid), missing,"
                        + " unexpected, created_at, closed_at, missing_names, unexpected_names FROM dataset WHERE uid = ?")) {
            select.setString(1, uid);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                return Optional.of(new DatasetStatus(
                        uid,
                        DatasetStatus.State.valueOf(row.getString(1)),
                        row.getLong(2),
                        row.getLong(3),
                        row.getObject(4, Integer.class),
                        row.getInt(5),
                        row.getObject(6, Long.class),
                        row.getObject(7, Long.class),
                        names(row.getArray(10)),
                        names(row.getArray(11)),
                        instant(row, 8),
                        instant(row, 9)));
            }
        }
    }

    private static List<String> names(Array array) throws SQLException {
        return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
