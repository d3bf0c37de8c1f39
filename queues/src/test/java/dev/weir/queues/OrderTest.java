package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import dev.weir.protocol.queue.QueueEntry.SetOwner;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderTest {

    private final Lab lab = new Lab().queue();

    @Test
    void theBestPriorityIsFirstAndAmongEqualsTheOldest() {
        lab.push(lab.item("c", 7));
        lab.push(lab.item("a", 2));
        lab.push(lab.item("d", 7));
        lab.push(lab.item("b", 3));

        assertThat(lab.keys(5)).containsExactly("a", "b", "c", "d", null);
    }

    private Long oldest() {
        return lab.ask(new Overview(lab.next(), Lab.QUEUE)).queues().get(0).oldestS();
    }

    @Test
    void theOldestItemIsSeenWhateverItsPriorityAndGroups() {
        assertThat(oldest()).isNull();
        lab.push(lab.item("starved", 9, "host:a"));
        lab.pass(10);
        lab.push(lab.item("worse", 10, "host:a"));
        lab.push(lab.item("better", 2, "host:a"));
        lab.push(lab.item("other", 2, "host:b"));
        lab.pass(10);
        lab.push(lab.item("best", 1, "host:a"));

        assertThat(oldest()).isEqualTo(20);
        assertThat(lab.keys(4)).containsExactly("best", "better", "other", "starved");
        assertThat(oldest()).as("of worse").isEqualTo(10);
    }

    @Test
    void ofMorePrioritiesThanAreLookedAtTheBestStillCountInEachSetOfGroups() {
        lab.push(lab.item("b", 5, "host:b"));
        lab.pass(1);
        for (int i = 0; i < 1_100; i++) {
            lab.push(lab.item("a" + i, 2 + i, "host:a"));
        }
        lab.push(lab.item("c", 7, "host:c"));

        assertThat(oldest()).isEqualTo(1);
    }

    @Test
    void ownersTakeTurnsByWeightWhateverTheirPriorities() {
        lab.ask(new SetOwner(lab.next(), Lab.QUEUE, "twice", 2, null));
        for (int i = 0; i < 6; i++) {
            lab.push(lab.ofOwner("o" + i, "once", 2));
            lab.push(lab.ofOwner("t" + i, "twice", 9));
        }

        List<String> nine = lab.keys(9);

        assertThat(nine.stream().filter(key -> key.startsWith("t"))).hasSize(6);
    }

    @Test
    void overFullCyclesEachOwnerGetsItsShareExactly() {
        int owners = 12;
        for (int o = 0; o < owners; o++) {
            lab.ask(new SetOwner(lab.next(), Lab.QUEUE, "o" + o, 1 + o % 4, null));
            for (int i = 0; i < 12; i++) {
                lab.push(lab.ofOwner("o" + o + "-" + i, "o" + o, 2 + i % 3));
            }
        }
        int cycle = 3 * (1 + 2 + 3 + 4);

        List<String> given = lab.keys(3 * cycle);

        for (int o = 0; o < owners; o++) {
            String owner = "o" + o + "-";
            assertThat(given.stream().filter(key -> key.startsWith(owner))).hasSize(3 * (1 + o % 4));
        }
    }

    @Test
    void priorityOneGoesBeforeAllOwnersTurns() {
        lab.push(lab.ofOwner("a", "one", 2));
        lab.push(lab.ofOwner("b", "two", 2));
        lab.push(lab.ofOwner("c", "three", 1));

        assertThat(lab.keys(1)).containsExactly("c");
    }

    @Test
    void aPopGetsOnlyTheKindsThatItAsksForAndTheBetterHeadOfThem() {
        for (String kind : List.of("dns", "tls", "web")) {
            lab.push(new Item(
                    kind,
                    kind,
                    null,
                    kind.length() + kind.charAt(0) - 'a',
                    Payload.NONE,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null));
        }

        QueueAnswer answer = lab.ask(new Pop(lab.next(), Lab.QUEUE, List.of("web", "tls"), 5, 0));

        assertThat(answer.items()).extracting(LeasedItem::key).containsExactly("tls", "web");
    }

    @Test
    void aPopOfLargePayloadsGivesFewerItemsThanAskedFor() {
        String large = "\"" + "x".repeat(60_000) + "\"";
        for (int i = 0; i < 20; i++) {
            lab.push(new Item("k" + i, null, null, null, new Payload(large), null, null, null, null, null, null));
        }

        assertThat(lab.pop(20)).hasSize(9);
    }

    @Test
    void aFullGroupHoldsUpOnlyItsOwnItems() {
        lab.limit("host:x", 1);
        lab.push(lab.item("x1", 2, "host:x"));
        lab.push(lab.item("x2", 3, "host:x"));
        lab.push(lab.item("y", 4, "host:y"));

        LeasedItem x1 = lab.pop();
        LeasedItem y = lab.pop();

        assertThat(List.of(x1.key(), y.key())).containsExactly("x1", "y");
        assertThat(lab.pop()).isNull();
        assertThat(lab.show("x2").why()).contains("group host:x is full");
        lab.finish(x1);
        assertThat(lab.pop().key()).isEqualTo("x2");
    }

    @Test
    void theBestItemOfAnOwnerGetsThePlaceThatWasGrantedToAWorseOne() {
        lab.limit("g", 1);
        lab.push(lab.item("first", 3, "g"));
        LeasedItem first = lab.pop();
        lab.push(lab.item("worse", 8, "g"));
        assertThat(lab.pop()).isNull();
        lab.finish(first);
        // The place is granted to the worse one now, which waited; the better ones come in other sets of groups.
        lab.push(lab.item("better", 5, "g", "h"));
        lab.push(lab.item("best", 2, "g", "i"));

        assertThat(lab.keys(4)).containsExactly("best", "better", "worse", null);
    }

    @Test
    void ownersShareAGroupThatIsFullAlsoWhenOneOfThemHasBetterItems() {
        lab.limit("g", 1);
        for (int i = 0; i < 20; i++) {
            lab.push(lab.ofOwner("a" + i, "a", 2, "g"));
            lab.push(lab.ofOwner("b" + i, "b", 9, "g"));
        }

        List<String> ten = lab.keys(10);

        assertThat(ten.stream().filter(key -> key.startsWith("b"))).hasSizeBetween(4, 6);
    }

    @Test
    void startsInAWindowAreLimited() {
        lab.ask(new SetLimit(lab.next(), "g", null, 2, 60));
        for (int i = 0; i < 4; i++) {
            lab.push(lab.item("k" + i, 3, "g"));
        }

        assertThat(lab.keys(3)).containsExactly("k0", "k1", null);
        lab.pass(59);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.keys(3)).containsExactly("k2", "k3", null);
    }

    @Test
    void aWaitingPopGetsTheItemThatComesAndTheFirstOfTwoGetsIt() {
        long early = lab.next();
        long late = lab.next();
        assertThat(lab.ask(new Pop(early, Lab.QUEUE, List.of(), 1, 5_000))).isNull();
        assertThat(lab.ask(new Pop(late, Lab.QUEUE, List.of(), 1, 5_000))).isNull();

        lab.push("a");

        assertThat(lab.answer(early).items()).extracting(LeasedItem::key).containsExactly("a");
        lab.pass(5);
        assertThat(lab.answer(late).items()).isEmpty();
    }

    @Test
    void aPausedQueueGivesNothingAndGoesOnWhereItWas() {
        lab.limit("g", 1);
        lab.push(lab.item("a", 3, "g"));
        lab.push(lab.item("b", 3, "g"));
        LeasedItem a = lab.pop();
        assertThat(lab.pop()).isNull();
        act(Action.PAUSE);
        lab.finish(a);

        assertThat(lab.pop()).isNull();
        assertThat(lab.show("b").why()).contains("paused");
        act(Action.RESUME);
        assertThat(lab.pop().key()).isEqualTo("b");
    }

    private void act(Action action) {
        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, action));
    }

    @Test
    void ofThePopsThatWaitTheOldestThatWantsItsKindGetsAnItem() {
        long onlyB = waitFor("b");
        long any = waitFor();
        long onlyA = waitFor("a");
        pushKind("1", "a");
        pushKind("2", "a");
        pushKind("3", "b");

        assertThat(lab.answer(any).items()).extracting(LeasedItem::key).containsExactly("1");
        assertThat(lab.answer(onlyA).items()).extracting(LeasedItem::key).containsExactly("2");
        assertThat(lab.answer(onlyB).items()).extracting(LeasedItem::key).containsExactly("3");
    }

    private long waitFor(String... kinds) {
        long n = lab.next();
        assertThat(lab.ask(new Pop(n, Lab.QUEUE, List.of(kinds), 1, 5_000))).isNull();
        return n;
    }

    private void pushKind(String key, String kind) {
        lab.push(new Item(key, kind, null, 3, null, null, null, null, null, null, null));
    }

    /** One item of group g is leased, and one that waits gets its place: {@code c}; {@code b} waits in group g and another one. */
    private void grantTheOnlyPlaceTo(String c, int priority) {
        lab.limit("g", 1);
        lab.push(lab.item("a", 2, "g"));
        lab.push(lab.item("b", 5, "g", "x"));
        LeasedItem first = lab.pop();
        lab.push(lab.item(c, priority, "g"));
        lab.push(lab.item("d", 9, "g"));
        assertThat(lab.pop()).isNull();
        lab.finish(first);
    }

    @Test
    void anItemThatIsRaisedGoesBeforeOneToWhichAGroupHasGrantedItsPlace() {
        grantTheOnlyPlaceTo("c", 4);
        lab.push(lab.item("b", 2, "g", "x"));

        assertThat(lab.keys(3)).containsExactly("b", "c", "d");
    }

    @Test
    void whenTheItemThatWasGrantedAPlaceIsRemovedTheBestOfTheOthersGetsIt() {
        grantTheOnlyPlaceTo("c", 4);
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "c"));

        assertThat(lab.keys(2)).containsExactly("b", "d");
    }

    @Test
    void aPlaceThatWasGrantedToAnOwnerThatGivesSomethingElseGoesToAnother() {
        lab.limit("g", 1);
        lab.push(lab.ofOwner("first", "one", 3, "g"));
        LeasedItem first = lab.pop();
        lab.push(lab.ofOwner("granted", "one", 9, "g"));
        assertThat(lab.pop()).isNull();
        lab.finish(first);
        lab.push(lab.ofOwner("better", "one", 2));
        assertThat(lab.pop().key()).isEqualTo("better");
        lab.push(lab.ofOwner("other", "two", 5, "g"));
        lab.push(lab.ofOwner("more", "one", 2));

        assertThat(lab.pop(2)).extracting(LeasedItem::key).contains("other");
    }
}
