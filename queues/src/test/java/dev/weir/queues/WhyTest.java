package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import dev.weir.queues.options.QueuesOptions;
import org.junit.jupiter.api.Test;

/** What readers hear of an item that does not start. */
class WhyTest {

    private static final QueueSettings ONE_ITEM = new QueueSettings(
            1, null, null, 0.0, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null, null, null);

    @Test
    void anItemWhoseOwnerIsNotTheOnlyOneWaitsForItsTurn() {
        Lab lab = new Lab().queue();
        lab.push("first");
        lab.pop();
        lab.push(lab.ofOwner("a", "one", 3));
        assertThat(lab.show("a").why()).isNull();

        lab.push(lab.ofOwner("b", "two", 3));

        assertThat(lab.show("a").why())
                .isEqualTo("waits for the turn of its owner, one of 2 with waiting items of kind default");
    }

    @Test
    void workersThatHaveGoneAreMissedAfterMinutes() {
        Lab lab = new Lab().queue();
        lab.push("a");
        assertThat(lab.show("a").why()).isEqualTo("no worker has asked for kind default");
        lab.finish(lab.pop());
        lab.push("b");

        lab.now += 299_000;
        assertThat(lab.show("b").why()).isNull();
        lab.now += 301_000;
        assertThat(lab.show("b").why()).isEqualTo("no worker has asked for kind default for 10 minutes");

        lab.pop();
        lab.push("c");
        assertThat(lab.show("c").why()).isNull();
    }

    @Test
    void noItemStartsWhileWorkersHaveAsManyAsTheyMay() {
        Lab lab = new Lab().with(QueuesOptions.defaults().withMaxLeased(1)).queue();
        lab.push("a");
        LeasedItem a = lab.pop();
        lab.push("b");
        assertThat(lab.pop()).isNull();

        assertThat(lab.show("b").why()).isEqualTo("workers have the most items of all queues, 1");
        lab.finish(a);
        assertThat(lab.show("b").why()).isNull();
    }

    @Test
    void aKeyThatIsDueSaysThatItsQueueIsFull() {
        Lab lab = new Lab().queue(ONE_ITEM);
        Again again = new Again(60, null, null, null, null, null, null);
        lab.push(new Item("a", null, null, 3, null, null, null, null, again, null, null));
        lab.finish(lab.pop());
        lab.push("b");
        assertThat(lab.show("a").why()).startsWith("rests until ");

        lab.pass(61);

        ShownItem due = lab.show("a");
        assertThat(due.state()).isEqualTo(ShownItem.State.RESTING);
        assertThat(due.why()).isEqualTo("is due, but the queue has 1 items of at most 1");
    }
}
