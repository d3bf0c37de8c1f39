package dev.weir.queues.state;

import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.Table;
import dev.weir.engine.store.TextCodec;
import java.util.List;

/** Every table of the queues, and how its keys are made. */
public final class Tables {

    /** By name. */
    public static final Table<QueueRecord> QUEUE = new Table<>("queue", new QueueRecord.QueueCodec());

    /** By queue and owner: weights and bounds that were set. */
    public static final Table<OwnerRecord> OWNER = new Table<>("owner", new OwnerRecord.OwnerCodec());

    /** By number. */
    public static final Table<ItemRecord> ITEM = new Table<>("item", new ItemRecord.ItemCodec());

    /** By queue and key: the number of its item. */
    public static final Table<String> KEY = new Table<>("key", new TextCodec());

    /** By queue and key: what outlives the items of a key. Not read by a restart. */
    public static final Table<RestRecord> REST = new Table<>("rest", new RestRecord.RestCodec());

    /** By queue, due list and number of the entry. Not read by a restart. */
    public static final Table<DueRecord> DUE = new Table<>("due", new DueRecord.DueCodec());

    /** By queue and name of the list. */
    public static final Table<DueListRecord> DUE_LIST = new Table<>("due-list", new DueListRecord.DueListCodec());

    /** By group key: limits that were set, and starts where those are limited. */
    public static final Table<GroupRecord> GROUP = new Table<>("group", new GroupRecord.GroupCodec());

    private Tables() {}

    public static List<Table<?>> all() {
        return List.of(QUEUE, OWNER, ITEM, KEY, REST, DUE, DUE_LIST, GROUP);
    }

    /** The key of something named within a queue; names of queues have no slash. */
    public static String key(String queue, String name) {
        return queue + '/' + name;
    }

    /** The key of an item. */
    public static String key(long number) {
        return Long.toString(number);
    }
}
