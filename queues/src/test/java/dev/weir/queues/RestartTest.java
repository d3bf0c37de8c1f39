package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Push;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A crash of Weir: the broker gives what came since the last checkpoint again, and its queues may be ahead of each other then. */
class RestartTest {

    private final Lab lab = new Lab().queue();

    private Push push(Item.IfPresent ifPresent) {
        Item item = new Item("a", null, null, 3, null, List.of(), null, null, null, null, ifPresent);
        return new Push(lab.next(), Lab.QUEUE, item);
    }

    @ParameterizedTest
    @EnumSource
    void aPushThatComesAgainBeforeTheDoneThatItFollowedIsNotLost(Item.IfPresent ifPresent) {
        HeapStore before = lab.store.snapshot();
        lab.push("a");
        LeasedItem item = lab.pop();
        lab.finish(item);
        Push second = push(ifPresent);
        assertThat(lab.ask(second).status()).isEqualTo(Status.CREATED);

        lab.restart(before);
        lab.ask(push(Item.IfPresent.RAISE), true);
        lab.ask(second, true);
        assertThat(lab.finish(item)).isEqualTo(Status.OK);

        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aNewPushThatMeetsAnItemWhoseDoneIsStillToComeIsNotLost() {
        lab.push("a");
        HeapStore before = lab.store.snapshot();
        LeasedItem item = lab.pop();

        lab.restart(before);
        assertThat(lab.push("a").status()).isEqualTo(Status.WAITING);
        assertThat(lab.finish(item)).isEqualTo(Status.OK);

        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aLeaseThatHadEndedBeforeTheCheckpointIsNotBelievedAfterIt() {
        lab.push("a");
        LeasedItem first = lab.pop();
        lab.end(first, End.RELEASED);
        LeasedItem second = lab.pop();
        lab.end(second, End.RELEASED);

        lab.restart(lab.store.snapshot());

        assertThat(lab.finish(first)).isEqualTo(Status.STALE);
        assertThat(lab.finish(second)).isEqualTo(Status.STALE);
        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aLeaseThatHadEndedBeforeTheCheckpointTakesNothingFromTheOneThatFollowed() {
        lab.push("a");
        LeasedItem first = lab.pop();
        lab.end(first, End.RELEASED);
        LeasedItem second = lab.pop();

        lab.restart(lab.store.snapshot());

        assertThat(lab.finish(first)).isEqualTo(Status.STALE);
        assertThat(lab.finish(second)).isEqualTo(Status.OK);
    }

    @Test
    void anItemThatWasPushedOnceRunsOnce() {
        lab.push("a");
        HeapStore before = lab.store.snapshot();
        LeasedItem item = lab.pop();

        lab.restart(before);
        assertThat(lab.finish(item)).isEqualTo(Status.OK);

        assertThat(lab.pop()).isNull();
    }

    @Test
    void aLeaseOfAForgottenItemIsNotOneOfTheItemThatHasItsNumberNow() {
        HeapStore before = lab.store.snapshot();
        lab.push("a");
        LeasedItem item = lab.pop();

        lab.restart(before);
        lab.push("b");
        assertThat(lab.finish(item)).isEqualTo(Status.STALE);

        assertThat(lab.pop().key()).isEqualTo("b");
    }
}
