package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.queues.api.Event;
import dev.weir.queues.state.Tables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Items expire, many at one time, and pops, pushes and questions come before the timer that removes them. */
class ExpiryTest {

    private static final int AT_ONCE = 100;

    private final Lab lab = new Lab().queue();

    /** Time passes until they have expired; nothing happens by itself from now on. */
    private void haveExpired(int count, String owner, String... groups) {
        Instant soon = Instant.ofEpochMilli(lab.now).plusSeconds(5);
        for (int i = 0; i < count; i++) {
            lab.push(new Item("k" + i, null, owner, 3, null, List.of(groups), null, soon, null, null, null));
        }
        lab.steps = false;
    }

    private void pushGood(String owner, String... groups) {
        lab.push(lab.ofOwner("good", owner, 9, groups));
        lab.now += 5_000;
    }

    private int stored() {
        List<String> numbers = new ArrayList<>();
        lab.store.forEach(Tables.ITEM, (number, item) -> numbers.add(number));
        return numbers.size();
    }

    private Pop popThatWaits() {
        Pop pop = new Pop(lab.next(), Lab.QUEUE, List.of(), 1, 5_000);
        assertThat(lab.ask(pop)).as("it waits").isNull();
        return pop;
    }

    @Test
    void aPushThatMeetsWhatHasExpiredMakesAnItemOfItsOwn() {
        haveExpired(1, "a");
        lab.now += 5_000;

        assertThat(lab.push("k0").status()).isEqualTo(Status.CREATED);
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("k0");
    }

    @Test
    void aQuestionThatMeetsWhatHasExpiredMakesAnItemAndWhoAskedBeforeHearsOfTheEnd() {
        Answer before = new Answer(lab.next(), Lab.QUEUE, lab.item("k0", 3), true, null, null, 5_000);
        Answer after = new Answer(lab.next(), Lab.QUEUE, lab.item("k0", 3), true, null, null, 5_000);
        haveExpired(1, "a");
        lab.ask(before);
        lab.now += 5_000;
        lab.ask(after);
        assertThat(lab.answer(before.n()).status()).isEqualTo(Status.PENDING);
        lab.pass(1);
        lab.finish(lab.pop());

        assertThat(lab.answer(after.n()).status()).isEqualTo(Status.FRESH);
    }

    @Test
    void thePopsOfOneEventRemoveAHundredAtMostAndTheTimerGoesOn() {
        haveExpired(3 * AT_ONCE, "a");
        lab.now += 5_000;
        List<QueueEntry> pops = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            pops.add(new Pop(lab.next(), Lab.QUEUE, List.of(), 5, 0));
        }

        lab.queues.apply(new Event.Requested(new QueueRequest("g1", pops), false), lab.now);
        assertThat(stored()).isEqualTo(2 * AT_ONCE);
        assertThat(lab.pop()).isNull();
        assertThat(stored()).isEqualTo(AT_ONCE);
        lab.pass(1);
        assertThat(stored()).isZero();
    }

    @Test
    void aPopThatHasMetTooManyWaitsAndGetsWhatIsBehindThemWithTheNextEvent() {
        haveExpired(AT_ONCE + 1, "a");
        pushGood("b");
        Pop pop = popThatWaits();

        lab.pass(1);

        assertThat(lab.answer(pop.n()).items()).extracting(LeasedItem::key).containsExactly("good");
    }

    @Test
    void whatHasExpiredIsNoStartInItsGroups() {
        lab.ask(new SetLimit(lab.next(), "g", null, 1, 3_600));
        haveExpired(AT_ONCE + 50, "a", "g");
        pushGood("a", "g");
        Pop pop = popThatWaits();

        lab.pass(1);

        assertThat(lab.answer(pop.n()).items()).extracting(LeasedItem::key).containsExactly("good");
    }
}
