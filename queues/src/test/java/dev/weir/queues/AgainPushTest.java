package dev.weir.queues;

import static dev.weir.queues.AgainTest.after;
import static dev.weir.queues.AgainTest.every;
import static dev.weir.queues.AgainTest.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Remove;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that run again are pushed. */
class AgainPushTest {

    private static final int HOUR = 3_600;
    private final Lab lab = new Lab();

    /** On a full hour, so that dates are round. */
    AgainPushTest() {
        lab.now = Instant.parse("2026-03-02T10:00:00Z").toEpochMilli();
        lab.queue();
    }

    private Instant due(String key) {
        return lab.show(key).notBefore();
    }

    private void run(String key) {
        LeasedItem item = lab.pop();
        assertThat(item.key()).isEqualTo(key);
        lab.finish(item);
    }

    @Test
    void aKeyThatRanWhileTheClockWasWrongGoesOnByItsRuleOnceItIsPushed() {
        long right = lab.now;
        lab.now += 365L * 24 * HOUR * 1_000;
        lab.push(item("a", every(HOUR)));
        run("a");
        lab.now = right;
        lab.push("a");
        run("a");

        assertThat(due("a")).isEqualTo("2026-03-02T11:00:00Z");
    }

    @ParameterizedTest
    @EnumSource(names = {"FINISHED", "FAILED", "RELEASED"})
    void aPushDuringARunMovesNoDateAndForgetsNoPause(End end) {
        Again adaptive = new Again(HOUR, null, null, null, HOUR / 2, 4 * HOUR, null);
        lab.push(item("every", every(HOUR)));
        lab.push(item("adaptive", adaptive));
        run("every");
        run("adaptive");
        lab.pass(HOUR);
        run("every");
        run("adaptive");
        lab.pass(2 * HOUR);

        List<LeasedItem> leased = lab.pop(2);
        lab.push("every");
        lab.push("adaptive");
        lab.pass(30);
        leased.forEach(item -> lab.end(item, end));
        lab.pop(2).forEach(lab::finish);

        assertThat(due("every")).isEqualTo("2026-03-02T14:00:00Z");
        assertThat(due("adaptive")).isEqualTo(Instant.ofEpochMilli(lab.now).plusSeconds(4 * HOUR));
    }

    /** A client that is in a hurry once would otherwise have moved a nightly run into the day for good. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHasAKeyRunBeforeItsFirstDateMovesNoDate(boolean byQuestion) {
        Instant first = Instant.parse("2026-03-02T12:30:00Z");
        lab.push(new Item("a", null, null, 3, null, null, first, null, every(3 * HOUR), null, null));
        lab.pass(HOUR);
        if (byQuestion) {
            lab.ask(new Answer(lab.next(), Lab.QUEUE, lab.item("a", 3), true, null, null, 5_000));
        } else {
            lab.push("a");
        }
        run("a");

        assertThat(due("a")).isEqualTo(first);
        lab.pass(2 * HOUR);
        run("a");
        assertThat(due("a")).isEqualTo(first.plusSeconds(3 * HOUR));
    }

    @ParameterizedTest
    @EnumSource(names = {"RAISE", "REPLACE"})
    void anotherRuleOfAKeyThatWaitsDoesNotWaitForTheDateOfTheOneBefore(Item.IfPresent ifPresent) {
        lab.push(item("a", every(7 * 86_400)));
        run("a");
        lab.push("a");
        lab.push(new Item("a", null, null, 3, null, null, null, null, every(60), null, ifPresent));
        run("a");

        assertThat(due("a")).isBefore(Instant.ofEpochMilli(lab.now).plusSeconds(61));
    }

    @ParameterizedTest
    @EnumSource
    void aRuleForAKeyThatWasRemovedWhileAWorkerHasItNeedsRoomToRest(Item.IfPresent ifPresent) {
        lab.queue(AgainTest.settings(100, 0));
        lab.push("a");
        lab.pop();
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        Item again = new Item("a", null, null, 3, null, null, null, null, after(60), null, ifPresent);

        assertThat(lab.push(again).status()).isEqualTo(Status.FULL);
    }

    @ParameterizedTest
    @EnumSource
    void aRuleThatWasEndedWhileAWorkerHadTheKeyDoesNotComeBackWithTheNextPush(Item.IfPresent ifPresent) {
        for (String how : List.of("ended", "removed")) {
            lab.push(item(how, after(60)));
            LeasedItem leased = lab.pop();
            if (how.equals("ended")) {
                lab.push(item(how, Again.NEVER));
            } else {
                lab.ask(new Remove(lab.next(), Lab.QUEUE, how));
            }
            lab.push(new Item(how, null, null, 3, null, null, null, null, null, null, ifPresent));
            lab.finish(leased);
            run(how);

            assertThat(lab.show(how)).isNull();
        }
    }
}
