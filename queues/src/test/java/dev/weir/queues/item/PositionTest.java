package dev.weir.queues.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.Session;
import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueEntry.Peek;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.model.Bucket;
import dev.weir.queues.model.Lane;
import dev.weir.queues.model.Place;
import dev.weir.queues.model.Queue;
import dev.weir.queues.model.Share;
import dev.weir.queues.options.QueuesOptions;
import dev.weir.queues.state.Content;
import dev.weir.queues.state.ItemRecord;
import dev.weir.queues.state.QueueRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How much is looked at for the position of an item, and for those that are next. */
class PositionTest {

    private static final long LAST = Place.of(9, 0);
    private static final int MOST_SETS = 1_000;

    private final Queue queue = queue();
    private long numbers;

    private static Queue queue() {
        QueueRecord record = new QueueRecord();
        record.name = "q";
        return new Lane(QueuesOptions.defaults(), new Session<>(new HeapStore(), 0)).add(record);
    }

    private void enter(String group) {
        ItemRecord item = new ItemRecord();
        item.number = ++numbers;
        item.key = "k" + item.number;
        item.content = new Content("x", "o", 3, 3, Payload.NONE, List.of(group), 0, 0, null, Map.of());
        queue.enter(item, 0);
    }

    private Share share() {
        return queue.line("x").share("o");
    }

    private static int left(Iterator<Bucket> buckets) {
        int left = 0;
        for (; buckets.hasNext(); buckets.next()) {
            left++;
        }
        return left;
    }

    @Test
    void noMoreThanAThousandSetsOfGroupsAreLookedAt() {
        for (int i = 0; i < MOST_SETS + 500; i++) {
            enter("g" + i);
        }
        Iterator<Bucket> buckets = share().bestFirst().iterator();

        assertThat(Shows.position(() -> buckets, LAST)).isEqualTo(MOST_SETS);
        assertThat(left(buckets)).isEqualTo(500);
    }

    @Test
    void theBestAreFoundAmongMoreSetsThanAreLookedAt() {
        for (int i = 0; i < MOST_SETS + 500; i++) {
            enter("g" + i);
        }
        Peek peek = new Peek(1, "q", 2, ShownItem.State.WAITING, null, null);

        assertThat(Shows.position(share().bestFirst(), Place.of(3, 100))).isEqualTo(99);
        assertThat(Peeks.next(queue, peek)).containsExactly(Place.of(3, 1), Place.of(3, 2));
    }

    @Test
    void noneIsLookedAtOnceThereAreMoreBeforeThanAreCounted() {
        for (int i = 0; i < ShownItem.MOST_POSITION + 5; i++) {
            enter("many");
        }
        enter("one");
        List<Bucket> all = new ArrayList<>();
        all.add(share().bucket(List.of("many")));
        all.add(share().bucket(List.of("one")));
        Iterator<Bucket> buckets = all.iterator();

        assertThat(Shows.position(() -> buckets, LAST)).isEqualTo(ShownItem.MOST_POSITION);
        assertThat(left(buckets)).isEqualTo(1);
    }
}
