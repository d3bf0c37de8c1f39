package dev.weir.dsm.catalogue;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.Registration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Takes registrations, a batch in a transaction. They may come twice and in any order: an id counts once in its dataset, a check-list
 * may come before the files that it lists, and what is missing after it. A known id that tells another file replaces the first, and a part
 * with other names the earlier one, for Weir has lost state and ran the attempts again. A closed dataset never changes. Rows are locked in the order of their
 * uids, so that several DSMs on one catalogue do not lock each other out.
 */
public final class Registrations {

    private final Catalogue catalogue;

    public Registrations(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

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
            Map<String, Boolean> closed = closed(connection, datasets);
            refuseInputs(batch, closed, refused);
            items.removeIf(item -> refused.containsKey(item.index()));
            // A repetition changes nothing, and comparing millions of names takes minutes.
            Set<String> changed = takeItems(connection, items, closed.keySet(), refused);
            for (int i = 0; i < batch.size(); i++) {
                if (batch.get(i) instanceof Registration.Close close
                        && !refused.containsKey(i)
                        && takePart(connection, close, i, closed.keySet(), refused)) {
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
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            try {
                Item item = Item.of(i, batch.get(i), urls);
                if (item != null) {
                    items.add(item);
                }
            } catch (InvalidMessage e) {
                refused.put(i, e);
            }
        }
        return items;
    }

    private static String storageId(Registration registration) {
        if (registration instanceof Registration.File file) {
            return file.storageId();
        }
        return registration instanceof Registration.Log log ? log.storageId() : null;
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

    /** Those that are closed, and whether each is an output: others were complete from the beginning. */
    private static Map<String, Boolean> closed(Connection connection, Set<String> datasets) throws SQLException {
        Map<String, Boolean> closed = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT uid, parts IS NOT NULL FROM dataset WHERE uid = ANY (?::text[]) AND state = 'closed'")) {
            Entries.column(select, 1, "text", List.copyOf(datasets), uid -> uid);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    closed.put(row.getString(1), row.getBoolean(2));
                }
            }
        }
        return closed;
    }

    private static void refuseInputs(
            List<Registration> batch, Map<String, Boolean> closed, Map<Integer, InvalidMessage> refused) {
        for (int i = 0; i < batch.size(); i++) {
            String uid = batch.get(i).datasetUid();
            if (!closed.getOrDefault(uid, true)) {
                refused.putIfAbsent(
                        i,
                        new InvalidMessage(
                                "dataset_uid", "dataset " + uid + " is complete and not an output; use another uid"));
            }
        }
    }

    /** Adds what is new, and replaces what is known otherwise; returns the datasets that this changed. */
    private static Set<String> takeItems(
            Connection connection, List<Item> items, Set<String> closed, Map<Integer, InvalidMessage> refused)
            throws SQLException {
        if (items.isEmpty()) {
            return new TreeSet<>();
        }
        Map<Item.Key, Known> known = Known.read(connection, items);
        // Of those with one key the last counts.
        Map<Item.Key, Item> taken = new LinkedHashMap<>();
        for (Item item : items) {
            InvalidMessage why = refusal(item, known.get(item.key()), closed);
            if (why == null) {
                taken.put(item.key(), item);
            } else {
                refused.put(item.index(), why);
            }
        }
        List<Item> added = new ArrayList<>();
        List<Item> replacing = new ArrayList<>();
        for (Item item : taken.values()) {
            Known before = known.get(item.key());
            if (before == null) {
                added.add(item);
            } else if (!before.isRepeatedBy(item)) {
                replacing.add(item);
            }
        }
        Map<String, long[]> next = count(connection, added, replacing);
        add(connection, added, next);
        Entries.replace(
                connection,
                replacing.stream()
                        .map(item -> entry(item, known.get(item.key()).position()))
                        .toList());
        return new TreeSet<>(next.keySet());
    }

    private static InvalidMessage refusal(Item item, Known known, Set<String> closed) {
        String uid = item.key().datasetUid();
        if (closed.contains(uid) && (known == null || !known.isRepeatedBy(item))) {
            return new InvalidMessage(
                    "dataset_uid", "dataset " + uid + " is closed and does not change any more; use another uid");
        }
        if (known != null && known.type() != null && !known.type().equals(item.type())) {
            return new InvalidMessage(
                    "id", item.key().id() + " is the id of a " + known.type() + " in dataset " + uid + " already");
        }
        return null;
    }

    /** Counts them in their datasets; returns the next position of a file and of a log in each. */
    private static Map<String, long[]> count(Connection connection, List<Item> added, List<Item> replacing)
            throws SQLException {
        Map<String, long[]> next = new HashMap<>();
        added.forEach(item -> next.computeIfAbsent(item.key().datasetUid(), uid -> new long[3])[column(item)]++);
        replacing.forEach(item -> next.computeIfAbsent(item.key().datasetUid(), uid -> new long[3])[2]++);
        if (next.isEmpty()) {
            return next;
        }
        List<String> uids = List.copyOf(next.keySet());
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE dataset d SET files = d.files + n.files, logs = d.logs + n.logs,"
                        + " changes = d.changes + n.files + n.logs + n.replaced"
                        + " FROM unnest(?::text[], ?::bigint[], ?::bigint[], ?::bigint[]) AS n (uid, files, logs, replaced)"
                        + " WHERE d.uid = n.uid RETURNING d.uid, d.files - n.files, d.logs - n.logs")) {
            Entries.column(update, 1, "text", uids, uid -> uid);
            for (int column = 0; column < 3; column++) {
                int of = column;
                Entries.column(update, column + 2, "bigint", uids, uid -> next.get(uid)[of]);
            }
            try (ResultSet row = update.executeQuery()) {
                while (row.next()) {
                    next.put(row.getString(1), new long[] {row.getLong(2), row.getLong(3)});
                }
            }
        }
        return next;
    }

    /** Appends to the datasets' ends, in the order of arrival. */
    private static void add(Connection connection, List<Item> items, Map<String, long[]> next) throws SQLException {
        if (items.isEmpty()) {
            return;
        }
        List<Entries.Entry> entries = new ArrayList<>(items.size());
        for (Item item : items) {
            entries.add(entry(item, next.get(item.key().datasetUid())[column(item)]++));
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO registration (dataset_uid, id, type, position)"
                        + " SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::bigint[])")) {
            Entries.column(insert, 1, "text", items, item -> item.key().datasetUid());
            Entries.column(insert, 2, "text", items, item -> item.key().id());
            Entries.column(insert, 3, "text", entries, Entries.Entry::type);
            Entries.column(insert, 4, "bigint", entries, Entries.Entry::position);
            insert.executeUpdate();
        }
        Entries.insert(connection, entries);
    }

    private static Entries.Entry entry(Item item, long position) {
        return new Entries.Entry(item.key().datasetUid(), item.type(), position, item.file(), item.jobUid());
    }

    private static int column(Item item) {
        return item.isFile() ? 0 : 1;
    }

    /** Whether the dataset's list has changed. */
    private static boolean takePart(
            Connection connection,
            Registration.Close close,
            int index,
            Set<String> closed,
            Map<Integer, InvalidMessage> refused)
            throws SQLException {
        if (CheckLists.holds(connection, close)) {
            return false;
        }
        if (closed.contains(close.datasetUid())) {
            refused.put(
                    index,
                    new InvalidMessage(
                            "check_list",
                            "dataset " + close.datasetUid() + " has closed with other names than those of part "
                                    + close.part() + " of " + close.parts() + "; use another uid"));
            return false;
        }
        CheckLists.keep(connection, close);
        return true;
    }
}
