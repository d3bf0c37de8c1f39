package dev.weir.scheduler.job;

import dev.weir.engine.store.DamagedValue;
import dev.weir.engine.store.Table;
import dev.weir.scheduler.model.Lane;
import dev.weir.scheduler.state.Names;
import java.io.UncheckedIOException;
import java.util.List;

/** Pieces of the lists of a task. What cannot be read of one is lost, and said: otherwise its task could never end. */
final class Pieces {

    private Pieces() {}

    /** The piece, to add to it. */
    static Names tail(Lane lane, Table<Names> table, String key) {
        try {
            return lane.work.get(table, key);
        } catch (DamagedValue e) {
            lost(lane, table, key, e);
            return new Names();
        }
    }

    /** Removes the piece and returns its names. */
    static List<String> take(Lane lane, Table<Names> table, String key) {
        List<String> names = List.of();
        try {
            names = lane.work.get(table, key).names();
        } catch (UncheckedIOException e) {
            lost(lane, table, key, e);
        }
        lane.work.remove(table, key);
        return names;
    }

    private static void lost(Lane lane, Table<Names> table, String key, UncheckedIOException e) {
        lane.counters.problem(
                "damaged value",
                "the names in piece '" + key + "' of " + table.name() + " are lost: " + e.getMessage());
    }
}
