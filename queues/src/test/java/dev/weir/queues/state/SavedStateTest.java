package dev.weir.queues.state;

import dev.weir.engine.EngineRecord;
import dev.weir.engine.EngineTables;
import dev.weir.engine.limit.GroupLimit;
import dev.weir.engine.limit.GroupRecord;
import dev.weir.engine.store.SavedStateContract;
import dev.weir.engine.store.Table;
import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Payload;
import dev.weir.queues.Queues;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values of the queues as savepoints hold them, see {@link SavedStateContract}. */
class SavedStateTest extends SavedStateContract {

    SavedStateTest() throws IOException {
        super(Queues.tables(), Set.of(Tables.QUEUE));
    }

    @Override
    protected Map<Table<?>, Object> samples() {
        Map<Table<?>, Object> samples = new LinkedHashMap<>();
        EngineRecord engine = new EngineRecord();
        number(engine);
        samples.put(EngineTables.ENGINE, engine);
        QueueRecord queue = new QueueRecord();
        number(queue);
        samples.put(Tables.QUEUE, queue);
        samples.put(Tables.OWNER, new OwnerRecord("q", "é", 7, 9, Map.of("level", 0.5)));
        ItemRecord item = new ItemRecord();
        number(item);
        item.state = ItemRecord.State.LEASED;
        item.content = content("kind", new Again(null, null, "0 3 * * 1-5", "Europe/Paris", null, null, 60));
        item.successor = content("other", null);
        samples.put(Tables.ITEM, item);
        samples.put(Tables.KEY, "5");
        RestRecord rest = new RestRecord();
        number(rest);
        rest.stored = true;
        rest.content = content("kind", new Again(60, null, null, null, 30, 90, null));
        rest.result = new Payload("{\"a\":1.50}");
        samples.put(Tables.REST, rest);
        samples.put(Tables.DUE, new DueRecord("k", 5));
        samples.put(Tables.DUE_LIST, new DueListRecord("q", 5, 6, 7));
        samples.put(
                Tables.GROUP, new GroupRecord(new GroupLimit(4, 5, Duration.ofSeconds(6)), 7, new long[] {1, 2, 3}));
        samples.put(EngineTables.SEEN, "1");
        samples.put(EngineTables.FORGET, "5 c/1");
        return samples;
    }

    private static Content content(String kind, Again again) {
        return new Content(
                kind, "é", 4, 5, new Payload("[1e2,\"é\"]"), List.of("g", "é"), 17, 19, again, Map.of("depth", 2.5));
    }
}
