package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.engine.store.HeapStore;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Extend;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Redrive;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueEntry.Show;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseTest {

    private static final QueueSettings LEASE_OF_3_S = new QueueSettings(
            null, null, null, null, 3, 3_600, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null);

    private final Lab lab = new Lab().queue();

    @Test
    void aSilentWorkerLosesItsItemAndAnotherGetsIt() {
        lab.push("a");
        LeasedItem first = lab.pop();
        lab.pass(59);
        assertThat(lab.pop()).isNull();
        lab.pass(12);

        LeasedItem second = lab.pop();

        assertThat(second.attempt()).isEqualTo(2);
        assertThat(lab.finish(first)).isEqualTo(Status.STALE);
        assertThat(lab.finish(second)).isEqualTo(Status.OK);
        assertThat(lab.finish(second)).isEqualTo(Status.STALE);
    }

    /** Lease time goes on at beats, which are five seconds apart. */
    @Test
    void aLeaseLastsAsLongAsItSaysWhereverTheLastBeatWas() {
        for (int sinceBeat = 0; sinceBeat < 7; sinceBeat++) {
            Lab other = new Lab().queue(LEASE_OF_3_S);
            other.push("another");
            other.ask(new Extend(other.next(), other.pop().token(), 600));
            other.pass(sinceBeat);
            other.push("a");
            LeasedItem item = other.pop();

            other.pass(2);
            assertThat(other.extend(item)).isEqualTo(Status.OK);
            other.pass(3);
            assertThat(other.finish(item)).as("%s s since a beat", sinceBeat).isEqualTo(Status.OK);
        }
    }

    @Test
    void aWorkerThatExtendsKeepsItsItemUpToTheLongestLease() {
        lab.push("a");
        LeasedItem item = lab.pop();
        for (int i = 0; i < 10; i++) {
            lab.pass(40);
            assertThat(lab.extend(item)).isEqualTo(Status.OK);
        }
        assertThat(lab.finish(item)).isEqualTo(Status.OK);
    }

    @Test
    void afterThreeFailuresAnItemIsDeadAndARedriveBringsItBack() {
        lab.push("a");
        for (int pause : new int[] {10, 20, 0}) {
            lab.end(lab.pop(), End.FAILED);
            assertThat(pause > 0 ? lab.pop() : null).isNull();
            lab.pass(pause);
        }
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.DEAD);
        assertThat(lab.pop()).isNull();

        assertThat(lab.ask(new Redrive(lab.next(), Lab.QUEUE, 5)).count()).isEqualTo(1);

        assertThat(lab.pop().attempt()).isEqualTo(1);
    }

    @Test
    void anItemThatIsHandedBackUsesNoAttempt() {
        lab.push("a");
        for (int i = 0; i < 5; i++) {
            LeasedItem item = lab.pop();
            assertThat(item.attempt()).isEqualTo(1);
            lab.end(item, End.RELEASED);
        }
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.WAITING);
    }

    private Status unseen(LeasedItem item) {
        return lab.ask(new Done(lab.next(), item.token(), End.RELEASED, null, null, null, null, null, null, null, true))
                .status();
    }

    @Test
    void anItemThatCameForClientsThatHadGoneIsNoWorseForThat() {
        List<Long> gone = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            Pop pop = new Pop(lab.next(), Lab.QUEUE, List.of(), 1, 5_000);
            assertThat(lab.ask(pop)).isNull();
            gone.add(pop.n());
        }
        lab.push("a");
        for (long n : gone) {
            assertThat(unseen(lab.answer(n).items().get(0))).isEqualTo(Status.OK);
        }

        assertThat(lab.pop().attempt()).isEqualTo(1);
    }

    @Test
    void whatNoWorkerHasSeenCountsNotTowardsTheReturnsAfterWhichAnItemIsDead() {
        lab.push("a");
        for (int i = 0; i < 99; i++) {
            lab.end(lab.pop(), End.RELEASED);
            unseen(lab.pop());
        }
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.WAITING);

        lab.end(lab.pop(), End.RELEASED);
        assertThat(lab.show("a").error()).isEqualTo("handed back 100 times");
    }

    @Test
    void aForgedTokenIsStale() {
        lab.push("a");
        LeasedItem item = lab.pop();
        String forged = item.token().substring(0, item.token().indexOf('.')) + ".0";

        assertThat(lab.ask(new Done(lab.next(), forged, End.FINISHED, null, null, null, null, null, null, null))
                        .status())
                .isEqualTo(Status.STALE);
        assertThat(lab.ask(new Done(lab.next(), "nonsense", End.FINISHED, null, null, null, null, null, null, null))
                        .status())
                .isEqualTo(Status.STALE);
        assertThat(lab.finish(item)).isEqualTo(Status.OK);
    }

    @Test
    void aTokenOfAnEarlierLifeOfTheKeyDoesNotEndTheNext() {
        lab.push("a");
        LeasedItem first = lab.pop();
        lab.finish(first);
        lab.push("a");
        LeasedItem second = lab.pop();

        assertThat(lab.finish(first)).isEqualTo(Status.STALE);
        assertThat(lab.finish(second)).isEqualTo(Status.OK);
    }

    @Test
    void whoWaitsForTheEndOfAnItemGetsItsResult() {
        lab.push("a");
        LeasedItem item = lab.pop();
        long n = lab.next();
        assertThat(lab.ask(new Show(n, Lab.QUEUE, "a", 5_000))).isNull();

        lab.ask(new Done(
                lab.next(),
                item.token(),
                End.FINISHED,
                new Payload("{\"open\":[80]}"),
                null,
                null,
                null,
                null,
                null,
                null));

        ShownItem shown = lab.answer(n).shown().get(0);
        assertThat(shown.state()).isEqualTo(ShownItem.State.FINISHED);
        assertThat(shown.result().json()).isEqualTo("{\"open\":[80]}");
    }

    @Test
    void aRemovedItemIsTakenFromItsWorkerAndItsPlaceIsFreeWhenTheLeaseEnds() {
        lab.limit("g", 1);
        lab.push(lab.item("a", 3, "g"));
        lab.push(lab.item("b", 3, "g"));
        LeasedItem a = lab.pop();
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));

        assertThat(lab.extend(a)).isEqualTo(Status.STALE);
        assertThat(lab.pop()).isNull();
        assertThat(lab.finish(a)).isEqualTo(Status.STALE);
        assertThat(lab.pop().key()).isEqualTo("b");
        assertThat(lab.show("a")).isNull();
    }

    @Test
    void aPushOfAKeyThatWasRemovedWhileItIsLeasedIsNotLost() {
        lab.push("a");
        LeasedItem first = lab.pop();
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));

        lab.push(new Item("a", null, null, 2, null, null, null, null, null, null, Item.IfPresent.KEEP));
        lab.finish(first);

        assertThat(lab.pop().priority()).isEqualTo(2);
    }

    @Test
    void aLeaseThatARestartHasForgottenGoesOn() {
        lab.push("a");
        HeapStore before = lab.store.snapshot();
        LeasedItem item = lab.pop();
        lab.restart(before);

        assertThat(lab.extend(item)).isEqualTo(Status.OK);
        assertThat(lab.pop()).isNull();
        assertThat(lab.finish(item)).isEqualTo(Status.OK);
        assertThat(lab.show("a")).isNull();
    }

    @Test
    void aLeaseThatGoesOnAfterARestartIsCountedForGood() {
        lab.push("a");
        HeapStore before = lab.store.snapshot();
        LeasedItem item = lab.pop();
        lab.restart(before);
        assertThat(lab.extend(item)).isEqualTo(Status.OK);

        lab.restart(lab.store.snapshot());

        assertThat(lab.queues.views().get(0).popped()).isEqualTo(1);
    }

    @Test
    void aLeaseThatTheStateKnowsGoesOnAfterARestart() {
        lab.limit("g", 1);
        lab.push(lab.item("a", 3, "g"));
        lab.push(lab.item("b", 3, "g"));
        LeasedItem item = lab.pop();
        lab.restart(lab.store.snapshot());

        assertThat(lab.pop()).isNull();
        assertThat(lab.finish(item)).isEqualTo(Status.OK);
        assertThat(lab.pop().key()).isEqualTo("b");
    }

    @Test
    void aPurgeTakesWhatWaitsAndLeavesWhatIsLeased() {
        for (int i = 0; i < 2_500; i++) {
            lab.push(lab.item("k" + i, 3, "g" + i % 3));
        }
        LeasedItem leased = lab.pop();
        QueueAnswer purged = lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.PURGE));
        lab.push("new");

        assertThat(purged.count()).isEqualTo(2_499);
        assertThat(lab.show("k77")).isNull();
        lab.end(leased, End.RELEASED);
        assertThat(lab.keys(3)).containsExactlyInAnyOrder("new", leased.key(), null);
        lab.restart(lab.store.snapshot());
        assertThat(lab.pop()).isNull();
    }

    @Test
    void aQueueIsDeletedWithAllThatIsInItButNotWhileWorkersHaveItems() {
        lab.push("a");
        lab.push("b");
        LeasedItem a = lab.pop();
        assertThat(lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.DELETE))
                        .status())
                .isEqualTo(Status.REFUSED);
        lab.finish(a);

        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.DELETE));
        lab.pass(1);

        assertThat(lab.push("c").status()).isEqualTo(Status.UNKNOWN);
        lab.queue();
        assertThat(lab.pop()).isNull();
        assertThat(lab.push("b").status()).isEqualTo(Status.CREATED);
    }
}
