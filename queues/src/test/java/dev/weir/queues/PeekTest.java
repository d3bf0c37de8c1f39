package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Peek;
import dev.weir.protocol.queue.ShownItem;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Items of two owners in every state. */
class PeekTest {

    private final Lab lab = new Lab().queue();

    private List<String> keys(ShownItem.State state, String owner) {
        return lab.ask(new Peek(lab.next(), Lab.QUEUE, 50, state, owner)).shown().stream()
                .map(ShownItem::key)
                .toList();
    }

    private void pushOfBoth(String name) {
        lab.push(lab.ofOwner(name + "-one", "one", 3));
        lab.push(lab.ofOwner(name + "-two", "two", 3));
    }

    @Test
    void itemsAreListedByStateAndOwner() {
        pushOfBoth("dead");
        lab.pop(2)
                .forEach(item -> lab.ask(
                        new Done(lab.next(), item.token(), End.FAILED, null, "no", false, null, null, null, null)));
        pushOfBoth("leased");
        lab.pop(2);
        pushOfBoth("waiting");
        for (String owner : List.of("one", "two")) {
            Instant tomorrow = Instant.ofEpochMilli(lab.now).plusSeconds(86_400);
            lab.push(new Item("later-" + owner, null, owner, 3, null, null, tomorrow, null, null, null, null));
        }

        for (ShownItem.State state :
                List.of(ShownItem.State.DEAD, ShownItem.State.LEASED, ShownItem.State.WAITING, ShownItem.State.LATER)) {
            String name = state.name().toLowerCase(Locale.ROOT);
            assertThat(keys(state, null)).containsExactlyInAnyOrder(name + "-one", name + "-two");
            assertThat(keys(state, "two")).containsExactly(name + "-two");
            assertThat(keys(state, "nobody")).isEmpty();
        }
    }
}
