package dev.weir.queues;

import static dev.weir.queues.AgainTest.every;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Configure;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many keys are due at one time. */
class DueKeysTest {

    private static final int MINUTE = 60;
    private final Lab lab = new Lab().queue();

    private static Item item(String key, Again again) {
        return new Item(key, null, "club", 3, null, null, null, null, again, null, null);
    }

    private void runAll() {
        for (LeasedItem item = lab.pop(); item != null; item = lab.pop()) {
            lab.finish(item);
        }
    }

    /** Keys that waited for it came after those of the next minutes, and some never ran. */
    @Test
    void dueKeysOfAnOwnerWithABoundAllRunInTheirMinute() {
        for (int i = 0; i < 50; i++) {
            lab.push(item("key-" + i, every(2 * MINUTE)));
        }
        runAll();
        lab.ask(new SetOwner(lab.next(), Lab.QUEUE, "club", 1, 10));

        lab.pass(2 * MINUTE);

        List<String> keys = new ArrayList<>();
        for (LeasedItem item : lab.pop(100)) {
            keys.add(item.key());
        }
        assertThat(keys).doesNotHaveDuplicates().hasSize(50);
        assertThat(lab.push(item("more", null)).status()).as("a push").isEqualTo(Status.FULL);
    }

    private long waiting() {
        return views().mapToLong(QueueView::waiting).sum();
    }

    private Stream<QueueView> views() {
        return lab.ask(new Overview(lab.next(), null)).queues().stream()
                .filter(view -> view.queue().startsWith("cron"));
    }

    @Test
    void manyQueuesThatAreDueAtOneTimeTakeTurnsAndNoEventWakesTheKeysOfAll() {
        int queues = 4;
        int keys = 400;
        for (int i = 0; i < queues; i++) {
            String queue = "cron-" + i;
            lab.ask(new Configure(lab.next(), queue, QueueSettings.defaults()));
            for (int j = 0; j < keys; j++) {
                lab.ask(new Push(lab.next(), queue, item("key-" + j, every(2 * MINUTE))));
            }
            for (LeasedItem item :
                    lab.ask(new Pop(lab.next(), queue, List.of(), 256, 0)).items()) {
                lab.finish(item);
            }
        }
        long before = waiting();
        lab.steps = false;

        lab.now += 2 * MINUTE * 1_000;
        for (int i = 1; i <= queues; i++) {
            lab.tick();
            assertThat(waiting() - before).isEqualTo(256L * i);
        }
        assertThat(views()).as("each had its turn").allMatch(view -> view.waiting() == keys);
    }
}
