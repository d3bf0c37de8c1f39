package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key that rests has one entry in the due lists for each of its dates, however often these move. */
class DueEntriesTest {

    private static final int MINUTE = 60;
    private final Lab lab = new Lab();

    private List<String> entries() {
        List<String> entries = new ArrayList<>();
        lab.store.forEach(Tables.DUE, (name, due) -> entries.add(name));
        return entries;
    }

    private void renew(Integer freshS) {
        lab.push(new Item("a", null, null, 3, null, null, null, null, null, null, Item.IfPresent.REPLACE));
        LeasedItem item = lab.pop();
        lab.ask(new Done(lab.next(), item.token(), End.FINISHED, null, null, null, freshS, null, null, null));
    }

    private long resting() {
        return lab.ask(new Overview(lab.next(), Lab.QUEUE)).queues().get(0).resting();
    }

    @Test
    void anAnswerThatIsLookedUpAnewAllTheTimeTakesNoMoreRoomEachTime() {
        lab.queue(AnswerTest.settings(100, MINUTE, 7 * 86_400, Refresh.ALWAYS));
        renew(null);
        int lookUps = 0;
        for (int i = 0; i < 30; i++) {
            lab.pass(MINUTE);
            LeasedItem item = lab.pop();
            if (item != null) {
                lookUps++;
                lab.finish(item);
            }
        }

        assertThat(lookUps).isGreaterThan(20);
        assertThat(entries()).as("of the next look-up, and of the end").hasSize(2);
    }

    @Test
    void anAnswerThatWasRenewedGoesAtItsOwnEnd() {
        lab.queue(AnswerTest.settings(100, 5 * MINUTE, 5 * MINUTE, Refresh.NEVER));
        renew(null);
        lab.pass(5 * MINUTE);
        renew(null);
        assertThat(entries()).hasSize(1);

        lab.pass(6 * MINUTE);
        assertThat(lab.show("a").state())
                .as("after the end of the first answer")
                .isEqualTo(State.RESTING);
        assertThat(entries()).hasSize(1);
        lab.pass(5 * MINUTE);
        assertThat(resting()).isZero();
        assertThat(entries()).isEmpty();
    }

    @Test
    void anAnswerThatEndsEarlierThanTheOneBeforeGoesAtItsOwnEndToo() {
        lab.queue(AnswerTest.settings(100, 0, 0, Refresh.NEVER));
        renew(60 * MINUTE);
        renew(MINUTE);

        lab.pass(2 * MINUTE);
        assertThat(resting()).isZero();
        lab.pass(60 * MINUTE);
        assertThat(entries()).isEmpty();
    }

    @Test
    void whatAnOlderVersionHasListedIsNotKnownAndIsListedOnceMore() {
        lab.queue(AnswerTest.settings(100, 5 * MINUTE, 0, Refresh.NEVER));
        renew(null);
        RestRecord rest = lab.store.get(Tables.REST, Tables.key(Lab.QUEUE, "a"));
        rest.endListed = 0;
        lab.store.put(Tables.REST, Tables.key(Lab.QUEUE, "a"), rest);
        lab.restart(lab.store);

        lab.pass(2 * MINUTE);
        renew(null);
        renew(null);
        assertThat(entries()).hasSize(2);
        lab.pass(6 * MINUTE);
        assertThat(resting()).isZero();
        assertThat(entries()).isEmpty();
    }
}
