package dev.weir.scheduler.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Entries by key, linked through themselves: with a million of them in no cache, to remove one from a {@code HashMap} waits for memory
 * at its node, its key and all that the key consists of; here mostly at the table alone. Not safe for use by several threads.
 *
 * @param <K> what an entry is found by; immutable, with {@code equals} and {@code hashCode}
 * @param <E> the entries; one is in one table at most
 */
public final class KeyTable<K, E extends KeyTable.Entry<K, E>> {

    private static final int INITIAL = 4;

    /** A link of a chain of entries that share a place in the table. */
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

    /** The hash of a key, with its high bits in the low ones as well, because those alone choose the place. */
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

    /** Adds an entry; none with its key may be here. */
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

    /** Takes an entry out; nothing happens when it is not here. */
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

    /** An entry that is so, the same after the same calls; null when there is none. */
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

    /** A copy of all entries, in any order that is the same after the same calls. */
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
