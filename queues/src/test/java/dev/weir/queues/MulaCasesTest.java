package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.InvalidMessage;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Item.IfPresent;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem.State;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cases that the tests of mula's queue, its API and its schedulers have, in Weir's words; docs/QUEUE-CASES.md says where Weir differs. */
class MulaCasesTest {

    private final Lab lab = new Lab().queue();

    private static QueueSettings settings(int maxItems, double reserve, int graceS) {
        return new QueueSettings(
                maxItems, null, null, reserve, 60, null, null, null, null, null, null, null, null, null, null, graceS,
                null, null, null, null, null);
    }

    private static Item item(String key, int priority, String payload, IfPresent ifPresent) {
        return new Item(key, null, null, priority, new Payload(payload), null, null, null, null, null, ifPresent);
    }

    @Test
    void theBestPriorityIsPoppedFirstAndOfEqualOnesTheOldest() {
        lab.push(lab.item("later", 4));
        lab.push(lab.item("first", 2));
        lab.push(lab.item("second", 2));

        assertThat(lab.keys(4)).containsExactly("first", "second", "later", null);
    }

    @Test
    void aKeyIsInItsQueueOnceAndAPushThatKeepsChangesNothing() {
        lab.push(item("a", 3, "1", IfPresent.KEEP));

        assertThat(lab.push(item("a", 2, "2", IfPresent.KEEP)).status()).isEqualTo(Status.WAITING);
        assertThat(lab.show("a").priority()).isEqualTo(3);
        assertThat(lab.pop(9))
                .hasSize(1)
                .first()
                .satisfies(item -> assertThat(item.payload()).isEqualTo(new Payload("1")));
    }

    @Test
    void aReplacementHasTheNewContentAndAlsoAWorsePriority() {
        lab.push(item("a", 2, "1", IfPresent.REPLACE));

        assertThat(lab.push(item("a", 9, "2", IfPresent.REPLACE)).status()).isEqualTo(Status.REPLACED);
        assertThat(lab.pop().payload()).isEqualTo(new Payload("2"));
    }

    @Test
    void aRaiseTakesABetterPriorityAndNoWorseOne() {
        lab.push(item("a", 3, "1", IfPresent.RAISE));

        assertThat(lab.push(item("a", 2, "2", IfPresent.RAISE)).status()).isEqualTo(Status.RAISED);
        assertThat(lab.push(item("a", 5, "3", IfPresent.RAISE)).status()).isEqualTo(Status.WAITING);
        assertThat(lab.show("a").priority()).isEqualTo(2);
        assertThat(lab.pop().payload()).isEqualTo(new Payload("1"));
    }

    @Test
    void aFullQueueRefusesAndOnlyTheFirstPriorityMayUseItsReserve() {
        lab.queue(settings(4, 0.5, 0));
        lab.push("a");
        lab.push("b");

        assertThat(lab.push("c").status()).isEqualTo(Status.FULL);
        assertThat(lab.push(lab.item("d", 1)).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.item("e", 1)).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.item("f", 1)).status()).isEqualTo(Status.FULL);
        assertThat(lab.keys(5)).containsExactly("d", "e", "a", "b", null);
    }

    @Test
    void noQueueIsWithoutBound() {
        assertThatThrownBy(() -> settings(0, 0.1, 0))
                .isInstanceOf(InvalidMessage.class)
                .hasMessageContaining("max_items");
    }

    @Test
    void aPopFromAnEmptyQueueGetsNothingAndNoItemIsGivenTwice() {
        assertThat(lab.pop()).isNull();
        lab.push("a");

        assertThat(lab.pop().key()).isEqualTo("a");
        assertThat(lab.pop()).isNull();
    }

    @Test
    void aPopGetsItsKindsOnlyAndNoMoreThanItAskedFor() {
        for (String key : List.of("a", "b", "c")) {
            lab.push(new Item(key, "tcp", null, 3, null, null, null, null, null, null, null));
        }
        lab.push(new Item("d", "udp", null, 2, null, null, null, null, null, null, null));

        assertThat(lab.ask(new Pop(lab.next(), Lab.QUEUE, List.of("tcp"), 2, 0)).items())
                .extracting(LeasedItem::key)
                .containsExactly("a", "b");
    }

    @Test
    void whatIsRemovedIsNotThereAnyMore() {
        lab.push("a");
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));

        assertThat(lab.show("a")).isNull();
        assertThat(lab.pop()).isNull();
    }

    @Test
    void aKeyThatHasJustRunIsPutOffUntilItsGraceIsOver() {
        lab.queue(settings(100, 0.1, 60));
        lab.push("a");
        lab.finish(lab.pop());

        assertThat(lab.push("a").status()).isEqualTo(Status.CREATED);
        assertThat(lab.show("a").state()).isEqualTo(State.LATER);
        lab.pass(59);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void soIsOneThatWasPushedAgainWhileItRan() {
        lab.queue(settings(100, 0.1, 60));
        lab.push("a");
        LeasedItem first = lab.pop();
        assertThat(lab.push(item("a", 3, "1", IfPresent.RAISE)).status()).isEqualTo(Status.AGAIN);
        lab.finish(first);

        lab.pass(59);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aPushForWhatAWorkerHasRunsOnceMoreUnlessItKeeps() {
        lab.push("a");
        LeasedItem first = lab.pop();

        assertThat(lab.push(item("a", 3, "1", IfPresent.KEEP)).status()).isEqualTo(Status.LEASED);
        assertThat(lab.push(item("a", 3, "1", IfPresent.RAISE)).status()).isEqualTo(Status.AGAIN);
        assertThat(lab.pop()).isNull();
        lab.finish(first);
        assertThat(lab.keys(2)).containsExactly("a", null);
    }

    @Test
    void theItemOfASilentWorkerGoesToAnother() {
        lab.push("a");
        lab.pop();
        lab.pass(70);

        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void anItemThatFailedIsTriedAgainAndThenKeptForPeople() {
        lab.push("a");
        for (int attempt = 0; attempt < 3; attempt++) {
            lab.end(lab.pop(), End.FAILED);
            lab.pass(40);
        }

        assertThat(lab.show("a").state()).isEqualTo(State.DEAD);
        assertThat(lab.push("a").status()).isEqualTo(Status.CREATED);
    }
}
