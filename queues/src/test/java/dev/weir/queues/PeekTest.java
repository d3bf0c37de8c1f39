package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Peek;
import dev.weir.protocol.queue.ShownItem;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Items of several owners and kinds in every state. */
class PeekTest {

    private final Lab lab = new Lab().queue();

    private List<String> keys(ShownItem.State state, String owner) {
        return keys(50, state, owner, null);
    }

    private List<String> keys(int most, ShownItem.State state, String owner, List<String> kinds) {
        return lab.ask(new Peek(lab.next(), Lab.QUEUE, most, state, owner, kinds)).shown().stream()
                .map(ShownItem::key)
                .toList();
    }

    private void pushOfKinds(String name, Instant notBefore) {
        for (String kind : List.of("dns", "dns-2", "scan-tcp", "scan-udp")) {
            lab.push(new Item(name + "-" + kind, kind, null, 3, null, null, notBefore, null, null, null, null));
        }
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

    @Test
    void itemsOfOtherKindsTakeNoPlaceOfThoseThatAreAskedFor() {
        pushOfKinds("dead", null);
        lab.pop(4)
                .forEach(item -> lab.ask(
                        new Done(lab.next(), item.token(), End.FAILED, null, "no", false, null, null, null, null)));
        pushOfKinds("leased", null);
        lab.pop(4);
        pushOfKinds("waiting", null);
        pushOfKinds("later", Instant.ofEpochMilli(lab.now).plusSeconds(86_400));

        for (ShownItem.State state :
                List.of(ShownItem.State.DEAD, ShownItem.State.LEASED, ShownItem.State.WAITING, ShownItem.State.LATER)) {
            String name = state.name().toLowerCase(Locale.ROOT);
            assertThat(keys(1, state, null, List.of("scan-udp"))).containsExactly(name + "-scan-udp");
            assertThat(keys(2, state, "default", List.of("scan-*")))
                    .containsExactlyInAnyOrder(name + "-scan-tcp", name + "-scan-udp");
            assertThat(keys(9, state, null, List.of("none", "dns"))).containsExactly(name + "-dns");
            assertThat(keys(9, state, null, List.of())).hasSize(4);
            assertThat(keys(9, state, "nobody", List.of("dns"))).isEmpty();
        }
    }

    @Test
    void keysOfOtherKindsThatRestTakeNoPlaceEither() {
        Again hourly = new Again(3_600, null, null, null, null, null, null);
        for (String kind : List.of("dns", "scan")) {
            lab.push(new Item(kind, kind, null, 3, null, null, null, null, hourly, null, null));
            lab.finish(lab.pop());
        }

        assertThat(keys(1, ShownItem.State.RESTING, null, List.of("scan"))).containsExactly("scan");
        assertThat(keys(9, ShownItem.State.RESTING, null, null)).containsExactly("dns", "scan");
    }
}
