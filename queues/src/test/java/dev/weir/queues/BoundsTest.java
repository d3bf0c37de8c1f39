package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.options.QueuesOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundsTest {

    private static QueueSettings most(int items, Integer ofOwner, double reserve) {
        return new QueueSettings(
                items, null, ofOwner, reserve, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null, null);
    }

    @Test
    void aFullQueueRefusesWhatIsNewAndKeepsWhatItHas() {
        Lab lab = new Lab().queue(most(2, null, 0));
        lab.push("a");
        lab.push("b");

        assertThat(lab.push("c").status()).isEqualTo(Status.FULL);
        assertThat(lab.push(lab.item("c", 1)).status()).isEqualTo(Status.FULL);
        assertThat(lab.push("a").status()).isEqualTo(Status.WAITING);
        assertThat(lab.keys(3)).containsExactly("a", "b", null);
    }

    @Test
    void aReplacementThatNeedsNoMoreRoomIsNeverKeptOut() {
        Lab lab = new Lab().queue(most(3, null, 0.5));
        lab.push("a");
        lab.push(lab.item("b", 1));
        lab.push(lab.item("c", 1));
        Item smaller = new Item("a", null, null, 3, null, null, null, null, null, null, Item.IfPresent.REPLACE);

        assertThat(lab.push("d").status()).isEqualTo(Status.FULL);
        assertThat(lab.push(smaller).status()).isEqualTo(Status.REPLACED);
    }

    @Test
    void leasedItemsCountUntilTheyEnd() {
        Lab lab = new Lab().queue(most(1, null, 0));
        lab.push("a");
        LeasedItem leased = lab.pop();

        assertThat(lab.push("b").status()).isEqualTo(Status.FULL);
        lab.finish(leased);
        assertThat(lab.push("b").status()).isEqualTo(Status.CREATED);
    }

    @Test
    void aPartIsKeptForPriorityOne() {
        Lab lab = new Lab().queue(most(10, null, 0.2));
        for (int i = 0; i < 8; i++) {
            assertThat(lab.push("k" + i).status()).isEqualTo(Status.CREATED);
        }

        assertThat(lab.push("k8").status()).isEqualTo(Status.FULL);
        assertThat(lab.push(lab.item("k8", 1)).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.item("k9", 1)).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.item("k10", 1)).status()).isEqualTo(Status.FULL);
    }

    @Test
    void anOwnerHasItsOwnBound() {
        Lab lab = new Lab().queue(most(10, 1, 0));
        lab.ask(new QueueEntry.SetOwner(lab.next(), Lab.QUEUE, "large", 1, 2));

        lab.push(lab.ofOwner("a", "small", 3));
        assertThat(lab.push(lab.ofOwner("b", "small", 3)).status()).isEqualTo(Status.FULL);
        lab.push(lab.ofOwner("c", "large", 3));
        assertThat(lab.push(lab.ofOwner("d", "large", 3)).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.ofOwner("e", "large", 3)).status()).isEqualTo(Status.FULL);
    }

    @Test
    void aPushThatGivesAnItemToAnotherOwnerKeepsTheBoundOfThatOwner() {
        Lab lab = new Lab().queue(most(10, 1, 0));
        lab.push(lab.ofOwner("a", "one", 3));
        lab.push(lab.ofOwner("b", "other", 3));

        assertThat(lab.push(replacing("b", "one")).status()).isEqualTo(Status.FULL);
        assertThat(lab.push(replacing("a", "one")).status()).isEqualTo(Status.REPLACED);
    }

    @Test
    void whatFollowsALeasedItemIsOfTheSameOwner() {
        Lab lab = new Lab().queue(most(10, 1, 0));
        lab.push(lab.ofOwner("a", "one", 3));
        LeasedItem a = lab.pop();

        assertThat(lab.push(replacing("a", "other")).status()).isEqualTo(Status.REFUSED);
        assertThat(lab.push(replacing("a", "one")).status()).isEqualTo(Status.AGAIN);
        lab.ask(new QueueEntry.Remove(lab.next(), Lab.QUEUE, "a"));
        assertThat(lab.push(lab.ofOwner("a", "other", 3)).status()).isEqualTo(Status.REFUSED);
        lab.finish(a);
        assertThat(lab.push(lab.ofOwner("a", "other", 3)).status()).isEqualTo(Status.CREATED);
    }

    @Test
    void anOwnerWhoseBoundIsLoweredMayStillReplaceWhatItHas() {
        Lab lab = new Lab().queue(most(10, 2, 0));
        lab.push(lab.ofOwner("a", "one", 3));
        lab.push(lab.ofOwner("b", "one", 3));
        lab.queue(most(10, 1, 0));

        assertThat(lab.push(replacing("b", "one")).status()).isEqualTo(Status.REPLACED);
        assertThat(lab.push(lab.ofOwner("c", "one", 3)).status()).isEqualTo(Status.FULL);
    }

    @Test
    void aDeadItemWithoutRoomKeepsNoOtherFromComingBack() {
        Lab lab = new Lab().queue(most(10, 1, 0));
        for (String owner : List.of("one", "other")) {
            die(lab, lab.ofOwner("dead-" + owner, owner, 3));
        }
        lab.push(lab.ofOwner("a", "one", 3));

        assertThat(lab.ask(new QueueEntry.Redrive(lab.next(), Lab.QUEUE, 5)).count())
                .isEqualTo(1);
        assertThat(lab.show("dead-one").state()).isEqualTo(ShownItem.State.DEAD);
        assertThat(lab.show("dead-other").state()).isEqualTo(ShownItem.State.WAITING);
    }

    @Test
    void manyDeadItemsWithoutRoomKeepNoOtherFromComingBack() {
        Lab lab = new Lab().queue(most(1_000, null, 0));
        for (int i = 0; i < 300; i++) {
            die(lab, lab.ofOwner("full-" + i, "full", 3));
        }
        die(lab, lab.ofOwner("other", "other", 3));
        lab.push(lab.ofOwner("a", "full", 3));
        lab.ask(new QueueEntry.SetOwner(lab.next(), Lab.QUEUE, "full", 1, 1));

        assertThat(lab.ask(new QueueEntry.Redrive(lab.next(), Lab.QUEUE, 256)).count())
                .isEqualTo(1);
        assertThat(lab.show("other").state()).isEqualTo(ShownItem.State.WAITING);
    }

    @Test
    void aRedriveMovesNoMoreThanWasAskedForTheOldestFirst() {
        Lab lab = new Lab().queue(most(1_000, null, 0));
        for (String key : List.of("a", "b", "c")) {
            die(lab, lab.item(key, 3));
        }

        assertThat(lab.ask(new QueueEntry.Redrive(lab.next(), Lab.QUEUE, 2)).count())
                .isEqualTo(2);
        assertThat(lab.keys(3)).containsExactly("a", "b", null);
    }

    private static void die(Lab lab, Item item) {
        lab.push(item);
        lab.ask(new QueueEntry.Done(
                lab.next(), lab.pop().token(), QueueEntry.End.FAILED, null, null, false, null, null, null, null));
    }

    private static Item replacing(String key, String owner) {
        return new Item(key, null, owner, 3, null, null, null, null, null, null, Item.IfPresent.REPLACE);
    }

    @Test
    void aPopThatWaitsWhileWorkersHaveTheMostItemsGetsOneWhenALeaseEnds() {
        Lab lab = new Lab().with(QueuesOptions.defaults().withMaxLeased(1)).queue();
        lab.push("a");
        lab.push("b");
        LeasedItem first = lab.pop();
        Pop pop = new Pop(lab.next(), Lab.QUEUE, List.of(), 1, 5_000);
        assertThat(lab.ask(pop)).isNull();

        lab.finish(first);

        assertThat(lab.answer(pop.n()).items()).extracting(LeasedItem::key).containsExactly("b");
    }

    @Test
    void aPushThatMayHaveBeenAcceptedBeforeIsNeverFull() {
        Lab lab = new Lab().queue(most(1, null, 0));
        lab.push("a");

        assertThat(lab.ask(new Push(lab.next(), Lab.QUEUE, lab.item("b", 3)), true)
                        .status())
                .isEqualTo(Status.CREATED);
    }

    @Test
    void onlyItemsThatMakeANewSetOfGroupsNeedRoomForOne() {
        QueuesOptions two = QueuesOptions.defaults()
                .withLimits(QueuesOptions.defaults().limits().withMaxGroups(2));
        Lab lab = new Lab().with(two).queue();
        lab.push(lab.item("a", 3, "g1"));
        lab.push(lab.item("b", 3, "g2"));

        assertThat(lab.push(lab.item("c", 3, "g3")).status()).isEqualTo(Status.FULL);
        assertThat(lab.push(lab.item("c", 3, "g1", "g2")).status()).isEqualTo(Status.FULL);
        assertThat(lab.push(lab.item("c", 3, "g2")).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.item("d", 3)).status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(lab.ofOwner("e", "other", 3)).status()).isEqualTo(Status.CREATED);
    }

    @Test
    void aGroupWhoseLimitIsLiftedMakesRoomForAnother() {
        QueuesOptions one = QueuesOptions.defaults()
                .withLimits(QueuesOptions.defaults().limits().withMaxGroups(1));
        Lab lab = new Lab().with(one).queue();
        lab.limit("g1", 1);
        assertThat(limit(lab, "g2", 1)).isEqualTo(Status.REFUSED);
        assertThat(limit(lab, "g1", null)).isEqualTo(Status.OK);

        assertThat(limit(lab, "g2", 1)).isEqualTo(Status.OK);
    }

    private static Status limit(Lab lab, String group, Integer inFlight) {
        return lab.ask(new QueueEntry.SetLimit(lab.next(), group, inFlight, null, null))
                .status();
    }

    @Test
    void whatFollowsALeasedItemCountsAgainstTheBytesOfItsQueue() {
        Lab lab = new Lab().queue(bytes(2_000_000));
        Payload large = new Payload('"' + "x".repeat(60_000) + '"');
        for (int i = 0; i < 20; i++) {
            lab.push(large("k" + i, large, Item.IfPresent.KEEP));
        }
        List<LeasedItem> leased = lab.pop(20);

        int again = 0;
        for (LeasedItem item : leased) {
            again += lab.push(large(item.key(), large, Item.IfPresent.RAISE)).status() == Status.AGAIN ? 1 : 0;
        }

        assertThat(again).isBetween(5, 15);
        assertThat(view(lab).bytes()).isLessThanOrEqualTo(2_000_000);
    }

    private static Item large(String key, Payload payload, Item.IfPresent ifPresent) {
        return new Item(key, null, null, 3, payload, null, null, null, null, null, ifPresent);
    }

    private static QueueView view(Lab lab) {
        return lab.ask(new QueueEntry.Overview(lab.next(), Lab.QUEUE)).queues().get(0);
    }

    private static QueueSettings bytes(long most) {
        return new QueueSettings(
                null, most, null, 0.0, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, null, null, null);
    }

    @Test
    void anOwnerThatIsSetBackTakesNoRoom() {
        Lab lab = new Lab().with(QueuesOptions.defaults().withMaxOwners(1)).queue();
        lab.ask(new QueueEntry.SetOwner(lab.next(), Lab.QUEUE, "one", 5, null));
        assertThat(lab.push(lab.ofOwner("a", "two", 3)).status()).isEqualTo(Status.FULL);

        lab.ask(new QueueEntry.SetOwner(lab.next(), Lab.QUEUE, "one", null, null));

        assertThat(lab.push(lab.ofOwner("a", "two", 3)).status()).isEqualTo(Status.CREATED);
        lab.restart(lab.store);
        assertThat(view(lab).owners()).isEqualTo(1);
    }

    @Test
    void allQueuesTogetherHaveABound() {
        Lab lab = new Lab().with(QueuesOptions.defaults().withMaxItems(1)).queue();
        lab.push("a");

        assertThat(lab.push("b").reason()).contains("all queues together");
    }

    @Test
    void aDeadItemThatComesBackIsNoFurtherOne() {
        Lab lab = new Lab().with(QueuesOptions.defaults().withMaxItems(2)).queue();
        die(lab, lab.item("a", 3));
        die(lab, lab.item("b", 3));
        assertThat(lab.push("c").status()).isEqualTo(Status.FULL);

        assertThat(lab.push("a").status()).isEqualTo(Status.CREATED);
        assertThat(lab.ask(new QueueEntry.Redrive(lab.next(), Lab.QUEUE, 5)).count())
                .isEqualTo(1);
    }

    @Test
    void whoFillsAQueueHearsOnceThatItRunsLow() {
        Lab lab = new Lab()
                .queue(new QueueSettings(
                        null, null, null, null, null, null, null, null, null, null, null, null, null, 2, null, null,
                        null, null, null, null, null));
        lab.lows.clear();
        lab.push("a");
        lab.push("b");
        lab.push("c");
        assertThat(lab.lows).isEmpty();

        lab.keys(3);

        assertThat(lab.lows).hasSize(1);
        assertThat(lab.lows.get(0).items()).isEqualTo(1);
    }

    @Test
    void aDueKeyWaitsWhileTheQueueIsFullAndComesAsSoonAsItIsNot() {
        Lab lab = new Lab().queue(AgainTest.settings(2, 100));
        lab.push(AgainTest.item("a", AgainTest.after(60)));
        lab.finish(lab.pop());
        lab.push("b");
        lab.push("c");
        lab.pass(120);
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.RESTING);

        lab.finish(lab.pop());
        lab.pass(1);
        assertThat(lab.keys(2)).containsExactly("c", "a");
    }

    @Test
    void aPushThatRunsAgainNeedsRoomToRest() {
        Lab lab = new Lab().queue(AgainTest.settings(100, 2));
        lab.push(AgainTest.item("a", AgainTest.after(3_600)));
        lab.finish(lab.pop());
        lab.push(AgainTest.item("b", AgainTest.after(3_600)));

        assertThat(lab.push(AgainTest.item("c", AgainTest.after(3_600))).status())
                .isEqualTo(Status.FULL);
        assertThat(lab.push(AgainTest.item("a", AgainTest.after(3_600))).status())
                .isEqualTo(Status.CREATED);
        assertThat(lab.push("c").status()).isEqualTo(Status.CREATED);
        assertThat(lab.push(AgainTest.item("c", AgainTest.after(3_600))).status())
                .isEqualTo(Status.FULL);
    }
}
