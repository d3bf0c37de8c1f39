package dev.weir.engine.summary;

import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts the entries of tables, and decodes them. Not safe for use by several threads. */
public final class TableSums {

    private static final int MOST_DAMAGED = 100;

    private final Map<String, long[]> sizes = new TreeMap<>();
    private final List<String> damaged = new ArrayList<>();

    /**
     * The size of a table.
     *
     * @param bytes of keys and values
     */
    public record Size(long entries, long bytes) {}

    /** Counts an entry. Empty for a value that cannot be decoded, which is noted. */
    public <V> Optional<V> decode(Table<V> table, String key, byte[] bytes) {
        long[] size = sizes.computeIfAbsent(table.name(), name -> new long[2]);
        size[0]++;
        size[1] += key.length() + bytes.length;
        try {
            return Optional.of(table.decode(bytes));
        } catch (DamagedValue e) {
            if (damaged.size() < MOST_DAMAGED) {
                damaged.add(key + ": " + e.getMessage());
            }
            return Optional.empty();
        }
    }

    /** Every table that has entries, by name. */
    public Map<String, Size> sizes() {
        Map<String, Size> tables = new TreeMap<>();
        sizes.forEach((name, size) -> tables.put(name, new Size(size[0], size[1])));
        return tables;
    }

    /** {@code KEY: REASON} of values that cannot be decoded; the first 100. */
    public List<String> damaged() {
        return List.copyOf(damaged);
    }
}
