package dev.weir.dsm.catalogue;

import dev.weir.protocol.FileInfo;
import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Registration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Takes registrations, a batch in a transaction. They may come twice and in any order: an id counts once, a check-list
 * may come before the files that it lists, and a file after the close is compared anew. Rows are locked in the order of their
 * uids, so that several DSMs on one catalogue do not lock each other out.
 */
public final class Registrations {

    /** Longest id and checksum, in characters: what an index can hold. */
    private static final int MAX_ID = 512;

    private final Catalogue catalogue;

    public Registrations(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** A file or log that is well formed, at its place in the batch. */
    private record Item(int index, String id, String datasetUid, String type, FileInfo file, String jobUid) {}

    /**
     * Takes all of a batch that can be taken.
     *
     * @return why one cannot, by its index in the batch; those taken now or before are absent
     * @throws SQLException when the database cannot now; nothing is taken then
     */
    public Map<Integer, InvalidMessage> take(List<Registration> batch) throws SQLException {
        Map<Integer, InvalidMessage> refused = new TreeMap<>();
        catalogue.transact(connection -> {
            refused.clear();
            List<Item> items = items(connection, batch, refused);
            // A message that is refused makes no dataset: that would stay open for ever.
            Set<String> datasets = IntStream.range(0, batch.size())
                    .filter(i -> !refused.containsKey(i))
                    .mapToObj(i -> batch.get(i).datasetUid())
                    .collect(Collectors.toCollection(TreeSet::new));
            makeAndLock(connection, datasets);
            Set<String> fixed = fixed(connection, datasets);
            refuseFixed(batch, fixed, refused);
            items.removeIf(item -> fixed.contains(item.datasetUid()));
            List<Item> added = newOnes(connection, items);
            insert(connection, added);
            // A repetition changes nothing, and comparing millions of names takes minutes.
            Set<String> changed = added.stream().map(Item::datasetUid).collect(Collectors.toCollection(TreeSet::new));
            for (int i = 0; i < batch.size(); i++) {
                if (batch.get(i) instanceof Registration.Close close
                        && !refused.containsKey(i)
                        && takePart(connection, close, i, refused)) {
                    changed.add(close.datasetUid());
                }
            }
            CheckLists.compare(connection, changed);
            return null;
        });
        return refused;
    }

    private static List<Item> items(
            Connection connection, List<Registration> batch, Map<Integer, InvalidMessage> refused) throws SQLException {
        Map<String, String> urls = Storages.urls(
                connection,
                batch.stream()
                        .map(Registrations::storageId)
                        .filter(id -> id != null && id.indexOf('\0') < 0)
                        .collect(Collectors.toSet()));
        Map<String, Item> items = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            try {
                if (batch.get(i) instanceof Registration.File file) {
                    FileInfo info = info(urls, file.path(), file.storageId(), file.size(), file.checksum());
                    items.putIfAbsent(
                            file.id(),
                            new Item(
                                    i,
                                    checked("id", file.id(), MAX_ID),
                                    file.datasetUid(),
                                    "file",
                                    info,
                                    file.jobUid()));
                } else if (batch.get(i) instanceof Registration.Log log) {
                    FileInfo info = info(urls, log.path(), log.storageId(), log.size(), log.checksum());
                    items.putIfAbsent(
                            log.id(),
                            new Item(i, checked("id", log.id(), MAX_ID), log.datasetUid(), "log", info, log.jobUid()));
                }
            } catch (InvalidMessage e) {
                refused.put(i, e);
            }
        }
        return new ArrayList<>(items.values());
    }

    private static String storageId(Registration registration) {
        if (registration instanceof Registration.File file) {
            return file.storageId();
        }
        return registration instanceof Registration.Log log ? log.storageId() : null;
    }

    /** Splits the path into directory and name. Its constructor refuses what would leave the storage, and what is too long. */
    private static FileInfo info(Map<String, String> urls, String path, String storageId, Long size, String checksum) {
        if (checksum != null) {
            checked("checksum", checksum, MAX_ID);
        }
        String url = urls.get(storageId);
        if (url == null) {
            throw new InvalidMessage(
                    "storage_id",
                    "storage '" + storageId + "' is not known to DSM; add it there (--storage id=URL), or give a URL");
        }
        int slash = path.lastIndexOf('/');
        return new FileInfo(
                path.substring(slash + 1),
                url,
                path.substring(0, Math.max(0, slash)),
                size,
                checksum,
                null,
                null,
                null);
    }

    private static String checked(String field, String value, int most) {
        if (value.length() > most || value.indexOf('\0') >= 0) {
            throw new InvalidMessage(field, field + " must have at most " + most + " characters and no NUL");
        }
        return value;
    }

    private static void makeAndLock(Connection connection, Set<String> datasets) throws SQLException {
        List<String> sorted = List.copyOf(datasets);
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO dataset (uid) SELECT unnest(?::text[]) ON CONFLICT DO NOTHING")) {
            Entries.column(insert, 1, "text", sorted, uid -> uid);
            insert.executeUpdate();
        }
        try (PreparedStatement lock = connection.prepareStatement(
                "SELECT uid FROM dataset WHERE uid = ANY (?::text[]) ORDER BY uid FOR UPDATE")) {
            Entries.column(lock, 1, "text", sorted, uid -> uid);
            lock.executeQuery().close();
        }
    }

    /** Datasets that were complete from the beginning take no registrations. */
    private static Set<String> fixed(Connection connection, Set<String> datasets) throws SQLException {
        Set<String> fixed = new HashSet<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT uid FROM dataset WHERE uid = ANY (?::text[]) AND state = 'closed' AND parts IS NULL")) {
            Entries.column(select, 1, "text", List.copyOf(datasets), uid -> uid);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    fixed.add(row.getString(1));
                }
            }
        }
        return fixed;
    }

    private static void refuseFixed(List<Registration> batch, Set<String> fixed, Map<Integer, InvalidMessage> refused) {
        for (int i = 0; i < batch.size(); i++) {
            String uid = batch.get(i).datasetUid();
            if (fixed.contains(uid)) {
                refused.putIfAbsent(
                        i,
                        new InvalidMessage(
                                "dataset_uid", "dataset " + uid + " is complete and not an output; use another uid"));
            }
        }
    }

    private static List<Item> newOnes(Connection connection, List<Item> items) throws SQLException {
        Set<String> added = new HashSet<>();
        List<Item> sorted =
                items.stream().sorted(Comparator.comparing(Item::id)).toList();
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO registration (id, dataset_uid) SELECT * FROM unnest(?::text[], ?::text[]) ON CONFLICT DO NOTHING"
                        + " RETURNING id")) {
            Entries.column(insert, 1, "text", sorted, Item::id);
            Entries.column(insert, 2, "text", sorted, Item::datasetUid);
            try (ResultSet row = insert.executeQuery()) {
                while (row.next()) {
                    added.add(row.getString(1));
                }
            }
        }
        return items.stream().filter(item -> added.contains(item.id())).toList();
    }

    /** Appends to the datasets' ends, in the order of arrival. */
    private static void insert(Connection connection, List<Item> items) throws SQLException {
        if (items.isEmpty()) {
            return;
        }
        Map<String, long[]> next = new HashMap<>();
        for (Item item : items) {
            next.computeIfAbsent(item.datasetUid(), uid -> new long[2])[column(item)]++;
        }
        List<String> uids = List.copyOf(next.keySet());
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE dataset d SET files = d.files + n.files, logs = d.logs + n.logs"
                        + " FROM unnest(?::text[], ?::bigint[], ?::bigint[]) AS n (uid, files, logs) WHERE d.uid = n.uid"
                        + " RETURNING d.uid, d.files - n.files, d.logs - n.logs")) {
            Entries.column(update, 1, "text", uids, uid -> uid);
            Entries.column(update, 2, "bigint", uids, uid -> next.get(uid)[0]);
            Entries.column(update, 3, "bigint", uids, uid -> next.get(uid)[1]);
            try (ResultSet row = update.executeQuery()) {
                while (row.next()) {
                    next.put(row.getString(1), new long[] {row.getLong(2), row.getLong(3)});
                }
            }
        }
        List<Entries.Entry> entries = new ArrayList<>(items.size());
        for (Item item : items) {
            long position = next.get(item.datasetUid())[column(item)]++;
            entries.add(new Entries.Entry(item.datasetUid(), item.type(), position, item.file(), item.jobUid()));
        }
        Entries.insert(connection, entries);
    }

    private static int column(Item item) {
        return item.type().equals("file") ? 0 : 1;
    }

    /** Whether it is new. */
    private static boolean takePart(
            Connection connection, Registration.Close close, int index, Map<Integer, InvalidMessage> refused)
            throws SQLException {
        int parts = CheckLists.parts(connection, close);
        if (parts != close.parts()) {
            refused.put(
                    index,
                    new InvalidMessage(
                            "parts",
                            "parts is " + close.parts() + ", but an earlier part of dataset " + close.datasetUid()
                                    + " said " + parts));
            return false;
        }
        return CheckLists.keepPart(connection, close);
    }
}
