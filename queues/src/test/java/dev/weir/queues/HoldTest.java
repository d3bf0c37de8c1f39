package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.queues.api.GroupNumbers;
import org.junit.jupiter.api.Test;

class HoldTest {

    private final Lab lab = new Lab().queue();

    private QueueAnswer hold(LeasedItem item, String group, int seconds) {
        return lab.ask(new QueueEntry.Hold(lab.next(), item.token(), group, seconds));
    }

    private void push(String key, String... groups) {
        lab.ask(new QueueEntry.Push(lab.next(), Lab.QUEUE, lab.item(key, 3, groups)));
    }

    @Test
    void aHoldActsAtOnceAndOnlyOnItsGroupAndEndsByItself() {
        push("a1", "host:a");
        push("a2", "host:a");
        push("b1", "host:b");
        LeasedItem first = lab.pop();

        assertThat(hold(first, "host:a", 30).status()).isEqualTo(Status.OK);

        assertThat(lab.pop().key()).isEqualTo("b1");
        assertThat(lab.pop()).isNull();
        assertThat(lab.show("a2").why()).contains("group host:a is held until");
        assertThat(lab.finish(first)).isEqualTo(Status.OK);
        lab.pass(29);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("a2");
    }

    @Test
    void settingTheLimitsOfAGroupEndsItsHold() {
        push("a1", "host:a");
        push("a2", "host:a");
        push("a3", "host:a");
        hold(lab.pop(), "host:a", 3_600);
        assertThat(lab.pop()).isNull();

        lab.ask(new QueueEntry.SetLimit(lab.next(), "host:a", 2, null, null));

        assertThat(lab.pop().key()).isEqualTo("a2");
        assertThat(lab.pop()).isNull();
        assertThat(lab.show("a3").why()).contains("group host:a is full: 2 in flight");
    }

    @Test
    void ofSeveralHoldsTheLaterEndCounts() {
        push("a1", "host:a");
        push("a2", "host:a");
        LeasedItem first = lab.pop();

        hold(first, "host:a", 60);
        hold(first, "host:a", 10);

        lab.pass(59);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop()).isNotNull();
    }

    @Test
    void aHoldOutlivesARestartAlsoWhenNothingWaits() {
        push("a1", "host:a");
        LeasedItem first = lab.pop();
        hold(first, "host:a", 60);
        lab.finish(first);

        lab.restart(lab.store);
        push("a2", "host:a");

        assertThat(lab.pop()).isNull();
        lab.pass(60);
        assertThat(lab.pop().key()).isEqualTo("a2");
    }

    @Test
    void whenTheClockGoesBackNoHoldLastsLongerThanItMay() {
        push("a1", "host:a");
        push("a2", "host:a");
        LeasedItem first = lab.pop();
        hold(first, "host:a", 7 * 24 * 3600);
        lab.now -= 30L * 24 * 3600 * 1000;
        lab.pass(1);

        lab.now += 7L * 24 * 3600 * 1000;
        lab.pass(1);

        assertThat(lab.pop().key()).isEqualTo("a2");
    }

    @Test
    void aWorkerHoldsOnlyGroupsOfItsOwnItem() {
        push("a1", "host:a");
        LeasedItem first = lab.pop();

        assertThat(hold(first, "host:b", 10).field()).isEqualTo("group");
        lab.finish(first);
        assertThat(hold(first, "host:a", 10).status()).isEqualTo(Status.STALE);
    }

    @Test
    void groupsAreCountedWithWhatIsHeldAndInFlight() {
        assertThat(lab.queues.groupNumbers()).isEqualTo(GroupNumbers.NONE);
        lab.limit("host:a", 1);
        push("a1", "host:a", "net:1");
        push("a2", "host:a", "net:1");
        push("b1", "host:b");
        push("free");
        LeasedItem first = lab.pop();
        assertThat(lab.pop(3)).hasSize(2);

        assertThat(lab.queues.groupNumbers()).isEqualTo(new GroupNumbers(3, 1, 0, 3));

        hold(first, "net:1", 30);
        assertThat(lab.queues.groupNumbers()).isEqualTo(new GroupNumbers(3, 1, 1, 3));
        lab.restart(lab.store);
        assertThat(lab.queues.groupNumbers()).isEqualTo(new GroupNumbers(3, 1, 1, 3));
        lab.pass(30);
        lab.finish(first);
        assertThat(lab.queues.groupNumbers()).isEqualTo(new GroupNumbers(3, 1, 0, 1));
    }
}
