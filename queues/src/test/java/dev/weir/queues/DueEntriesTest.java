package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.protocol.queue.ShownItem.State;
import dev.weir.queues.state.RestRecord;
import dev.weir.queues.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key that rests has one entry in the due lists for each of its dates, however often these move. */
class DueEntriesTest {

    private static final int MINUTE = 60;
    private static final int DAY = 86_400;
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

    private RestRecord rest() {
        return lab.store.get(Tables.REST, Tables.key(Lab.QUEUE, "a"));
    }

    private long resting() {
        return lab.ask(new Overview(lab.next(), Lab.QUEUE)).queues().get(0).resting();
    }

    @Test
    void anAnswerThatIsLookedUpAnewAllTheTimeTakesNoMoreRoomEachTime() {
        lab.queue(AnswerTest.settings(100, MINUTE, 7 * DAY, Refresh.ALWAYS));
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
    void aDateThatMovesWithEachRunTakesNoMoreRoomEachTime() {
        lab.queue(AnswerTest.settings(100, DAY, 0, Refresh.ALWAYS));
        for (int i = 0; i < 30; i++) {
            renew(null);
            lab.pass(1);
        }

        assertThat(entries()).as("of the next look-up, and of the end").hasSize(2);
    }

    @Test
    void aKeyThatRunsAgainMuchLaterAndIsPushedBeforeTakesNoMoreRoomEachTime() {
        lab.queue();
        lab.push(AgainTest.item("a", AgainTest.after(7 * DAY)));
        lab.finish(lab.pop());
        for (int i = 0; i < 30; i++) {
            lab.pass(1);
            renew(null);
        }
        for (int i = 0; i < 30; i++) {
            lab.pass(1);
            lab.push("a");
            LeasedItem item = lab.pop();
            assertThat(lab.push("a").status()).isEqualTo(Status.AGAIN);
            lab.finish(item);
            lab.finish(lab.pop());
        }

        assertThat(entries()).hasSize(1);
        assertThat(resting()).isEqualTo(1);
        assertThat(lab.show("a").notBefore()).isEqualTo(Instant.ofEpochMilli(lab.now + 7 * DAY * 1_000L));
    }

    @Test
    void aKeyThatIsRemovedAndPushedTakesNoMoreRoomEachTime() {
        lab.queue(AnswerTest.settings(100, DAY, 0, Refresh.NEVER));
        for (int i = 0; i < 30; i++) {
            lab.push(AgainTest.item("a", AgainTest.after(7 * DAY)));
            lab.finish(lab.pop());
            lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
            assertThat(resting()).isZero();
            assertThat(lab.show("a")).isNull();
        }

        assertThat(entries()).as("of the next run, and of the end").hasSize(2);
    }

    @Test
    void ofAKeyThatWasRemovedNothingIsLeftButItsEntryAndThatGoesInItsTime() {
        lab.queue();
        lab.push(AgainTest.item("a", AgainTest.after(5 * MINUTE)));
        lab.finish(lab.pop());
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        assertThat(rest().content.payload()).isEqualTo(Payload.NONE);
        assertThat(lab.ask(new Remove(lab.next(), Lab.QUEUE, "a")).status()).isEqualTo(Status.UNKNOWN);

        lab.pass(5 * MINUTE);
        assertThat(entries()).isEmpty();
        assertThat(rest()).isNull();
        assertThat(lab.pop()).isNull();
    }

    @Test
    void aDeletedQueueLeavesNothingOfItsKeys() {
        lab.queue();
        for (String key : List.of("a", "b")) {
            lab.push(AgainTest.item(key, AgainTest.after(DAY)));
            lab.finish(lab.pop());
        }
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.DELETE));
        lab.pass(1);

        assertThat(entries()).isEmpty();
        assertThat(rest()).isNull();
    }

    @Test
    void aDateThatMovedIsKeptToTheSecond() {
        lab.queue();
        lab.push(AgainTest.item("a", AgainTest.after(10 * MINUTE)));
        lab.finish(lab.pop());
        lab.pass(4 * MINUTE + 7);
        renew(null);
        lab.restart(lab.store.snapshot());

        lab.pass(10 * MINUTE - 1);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("a");
        assertThat(entries()).isEmpty();
    }

    @Test
    void aDateThatComesEarlierIsKept() {
        lab.queue();
        lab.push(AgainTest.item("a", AgainTest.after(7 * DAY)));
        lab.finish(lab.pop());
        lab.push(AgainTest.item("a", AgainTest.after(5 * MINUTE)));
        lab.finish(lab.pop());

        lab.pass(5 * MINUTE);
        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aKeyThatIsAtWorkWhenItsDateComesRunsAtTheNextOne() {
        lab.queue();
        lab.push(AgainTest.item("a", AgainTest.after(5 * MINUTE)));
        lab.finish(lab.pop());
        lab.push("a");
        LeasedItem item = lab.pop();
        for (int i = 0; i < 6; i++) {
            lab.pass(MINUTE);
            lab.extend(item);
        }
        assertThat(entries()).isEmpty();
        lab.finish(item);

        lab.pass(5 * MINUTE);
        assertThat(lab.pop().key()).isEqualTo("a");
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
        RestRecord rest = rest();
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

    @Test
    void whatAnOlderVersionHasListedOfANextRunIsListedOnceMoreToo() {
        lab.queue();
        lab.push(AgainTest.item("a", AgainTest.after(5 * MINUTE)));
        lab.finish(lab.pop());
        RestRecord rest = rest();
        rest.dueListed = 0;
        lab.store.put(Tables.REST, Tables.key(Lab.QUEUE, "a"), rest);
        lab.restart(lab.store);

        lab.pass(2 * MINUTE);
        renew(null);
        renew(null);
        assertThat(entries()).hasSize(2);
        lab.pass(5 * MINUTE - 1);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("a");
        assertThat(entries()).isEmpty();
    }
}
