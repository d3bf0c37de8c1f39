package dev.weir.engine.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A hash table whose entries carry their own links. With a million entries outside the caches, a removal from a {@code HashMap} waits for
 * memory at the node, the key and the parts of the key; here mostly at the table alone. Not safe for use by several threads.
 *
 * @param <K> keys; immutable, with {@code equals} and {@code hashCode}
 * @param <E> the entries; an entry is in one table at most
 */
public final class KeyTable<K, E extends KeyTable.Entry<K, E>> {

    private static final int INITIAL = 4;

    /** An entry and its link to the next one in the same cell of the table. */
    public interface Entry<K, E> {
        K key();

        /** {@link #spread} of the key. */
        int hash();

        E next();

        void nextIs(E next);
    }

    /** Heads of chains; its length is a power of two. */
    private Object[] heads = new Object[INITIAL];

    private int size;

    /** The hash of a key, with its high bits in the low ones as well, because the low bits alone choose the cell. */
    public static int spread(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash ^ hash >>> 16;
    }

    public int size() {
        return size;
    }

    @SuppressWarnings("unchecked")
    private E head(int place) {
        return (E) heads[place];
    }

    /** The entry with this key; null when there is none. */
    public E get(K key) {
        int hash = spread(key);
        E entry = head(hash & heads.length - 1);
        while (entry != null && (entry.hash() != hash || !entry.key().equals(key))) {
            entry = entry.next();
        }
        return entry;
    }

    /** Adds an entry. The table must not have one with the same key. */
    public void add(E entry) {
        if (size >= heads.length - (heads.length >> 2)) {
            grow();
        }
        size++;
        link(entry);
    }

    private void link(E entry) {
        int place = entry.hash() & heads.length - 1;
        entry.nextIs(head(place));
        heads[place] = entry;
    }

    private void grow() {
        Object[] old = heads;
        heads = new Object[old.length * 2];
        for (Object head : old) {
            @SuppressWarnings("unchecked")
            E entry = (E) head;
            while (entry != null) {
                E next = entry.next();
                link(entry);
                entry = next;
            }
        }
    }

    /** Removes an entry; does nothing when it is not in the table. */
    public void remove(E entry) {
        int place = entry.hash() & heads.length - 1;
        E before = null;
        for (E at = head(place); at != null; at = at.next()) {
            if (at == entry) {
                if (before == null) {
                    heads[place] = entry.next();
                } else {
                    before.nextIs(entry.next());
                }
                entry.nextIs(null);
                size--;
                return;
            }
            before = at;
        }
    }

    /** An entry that matches, the same one after the same calls; null when there is none. */
    public E first(Predicate<E> so) {
        for (int i = 0; i < heads.length; i++) {
            for (E entry = head(i); entry != null; entry = entry.next()) {
                if (so.test(entry)) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** A copy of all entries. The order is arbitrary, but the same after the same calls. */
    public List<E> entries() {
        List<E> all = new ArrayList<>(size);
        for (int i = 0; i < heads.length; i++) {
            for (E entry = head(i); entry != null; entry = entry.next()) {
                all.add(entry);
            }
        }
        return all;
    }
}
