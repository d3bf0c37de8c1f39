package dev.weir.engine;

import dev.weir.engine.store.Table;
import dev.weir.engine.store.TextCodec;
import java.util.List;

/** The tables that an engine keeps beside those of its application. */
public final class EngineTables {

    /** One value, under the empty key. */
    public static final Table<EngineRecord> ENGINE = new Table<>("lane", new EngineRecord.EngineCodec());
    /** By id: what {@link SeenIds} remembers. */
    public static final Table<String> SEEN = new Table<>("memory", new TextCodec());
    /** By number: ids in the order in which they are forgotten. */
    public static final Table<String> FORGET = new Table<>("forget", new TextCodec());

    private EngineTables() {}

    public static List<Table<?>> all() {
        return List.of(ENGINE, SEEN, FORGET);
    }
}
