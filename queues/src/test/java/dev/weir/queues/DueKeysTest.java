package dev.weir.queues;

import static dev.weir.queues.AgainTest.every;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import java.util.ArrayList;
import java.util.List;
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
}
