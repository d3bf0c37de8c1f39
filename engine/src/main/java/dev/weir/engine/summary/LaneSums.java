package dev.weir.engine.summary;

import dev.weir.engine.store.Table;

/**
 * Sums up the tables of a lane, entry by entry, in any order. Not safe for use by several threads.
 *
 * @param <S> the summary of a lane
 */
public interface LaneSums<S> {

    /** Adds an entry of a table. */
    <V> void add(Table<V> table, String key, byte[] bytes);

    /** All that was added, of the lane with this number. */
    S of(int lane);
}
