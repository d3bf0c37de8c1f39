package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Redrive;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueEntry.Show;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import dev.weir.protocol.queue.ShownItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last result of a key is kept, and given to those who ask. */
class AnswerTest {

    private static final int WAIT = 5_000;
    private static final Again EVERY_HOUR = new Again(3_600, null, null, null, null, null, null);
    private final Lab lab = new Lab();

    AnswerTest() {
        lab.queue(settings(100, 60, 600, Refresh.NEVER));
    }

    static QueueSettings settings(int maxResting, int freshS, int staleS, Refresh refresh) {
        return new QueueSettings(
                null,
                null,
                null,
                null,
                null,
                null,
                1,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                maxResting,
                null,
                freshS,
                staleS,
                30,
                refresh,
                null);
    }

    private static Item key(String key) {
        return new Item(key, null, null, 7, null, null, null, null, null, null, null);
    }

    private Answer question(String key, Long maxAgeMs, Long staleMs, int waitMs) {
        return new Answer(lab.next(), Lab.QUEUE, key(key), true, maxAgeMs, staleMs, waitMs);
    }

    private QueueAnswer ask(String key) {
        return lab.ask(question(key, null, null, 0));
    }

    private void finish(LeasedItem item, String result) {
        lab.ask(new Done(
                lab.next(), item.token(), End.FINISHED, new Payload(result), null, null, null, null, null, null));
    }

    private void work(String result) {
        finish(lab.pop(), result);
    }

    @Test
    void aResultIsTheAnswerAsLongAsItIsFresh() {
        lab.push("a");
        work("1");
        lab.pass(20);

        QueueAnswer fresh = ask("a");
        assertThat(fresh.status()).isEqualTo(Status.FRESH);
        assertThat(fresh.answer().result().json()).isEqualTo("1");
        assertThat(fresh.answer().ageMs()).isEqualTo(20_000);
        assertThat(fresh.answer().freshMs()).isEqualTo(40_000);
        assertThat(lab.pop()).isNull();
        assertThat(lab.push("a").status()).isEqualTo(Status.FRESH);
    }

    @Test
    void aThousandWhoAskForOneKeyMakeOneItemAndAllGetItsResult() {
        List<Answer> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(question("a", null, null, WAIT));
            assertThat(lab.ask(all.get(i))).isNull();
        }
        assertThat(lab.show("a").priority()).isEqualTo(1);
        work("\"here\"");

        assertThat(lab.pop()).isNull();
        for (Answer one : all) {
            QueueAnswer answer = lab.answer(one.n());
            assertThat(answer.status()).isEqualTo(Status.FRESH);
            assertThat(answer.answer().result().json()).isEqualTo("\"here\"");
        }
    }

    @Test
    void whenNobodyWaitsAnyMoreTheItemFallsToItsOwnPriority() {
        Answer one = question("a", null, null, WAIT);
        lab.ask(one);
        lab.pass(5);

        assertThat(lab.answer(one.n()).status()).isEqualTo(Status.PENDING);
        assertThat(lab.show("a").priority()).isEqualTo(7);
    }

    @Test
    void aStaleAnswerComesWhenTheTimeIsOverUnlessItIsTooOldForWhoAsks() {
        lab.push("a");
        work("1");
        lab.pass(100);
        Answer any = question("a", null, null, WAIT);
        Answer young = question("a", null, 10_000L, WAIT);
        Answer notOlder = question("a", 60_000L, null, WAIT);
        List.of(any, young, notOlder).forEach(one -> assertThat(lab.ask(one)).isNull());
        lab.pass(5);

        QueueAnswer old = lab.answer(any.n());
        assertThat(old.status()).isEqualTo(Status.OLD);
        assertThat(old.answer().freshMs()).isZero();
        assertThat(lab.answer(young.n()).status()).isEqualTo(Status.PENDING);
        assertThat(lab.answer(notOlder.n()).status()).isEqualTo(Status.PENDING);
        assertThat(lab.pop(9)).hasSize(1);
    }

    @Test
    void noAnswerIsOlderThanWhoAsksAllows() {
        lab.push("a");
        work("1");
        lab.pass(20);

        Answer one = question("a", 10_000L, null, WAIT);
        assertThat(lab.ask(one)).isNull();
        work("2");
        assertThat(lab.answer(one.n()).answer().result().json()).isEqualTo("2");
    }

    @Test
    void aFailureIsTheAnswerUntilItIsCheckedAgain() {
        Answer one = question("a", null, null, WAIT);
        lab.ask(one);
        lab.ask(new Done(
                lab.next(), lab.pop().token(), End.FAILED, null, "no such host", null, null, null, null, null));

        assertThat(lab.answer(one.n()).status()).isEqualTo(Status.FAILED);
        QueueAnswer again = ask("a");
        assertThat(again.status()).isEqualTo(Status.FAILED);
        assertThat(again.reason()).isEqualTo("no such host");
        lab.pass(30);
        assertThat(ask("a").status()).isEqualTo(Status.PENDING);
        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aStaleAnswerIsBetterThanAFailure() {
        lab.push("a");
        work("1");
        lab.pass(100);
        Answer one = question("a", null, null, WAIT);
        lab.ask(one);
        lab.end(lab.pop(), End.FAILED);

        assertThat(lab.answer(one.n()).status()).isEqualTo(Status.OLD);
    }

    /** A question that must not start work hears of none. */
    @Test
    void whoOnlyLooksMakesNoWork() {
        assertThat(lab.ask(new Answer(lab.next(), Lab.QUEUE, key("a"), false, null, null, 0))
                        .status())
                .isEqualTo(Status.UNKNOWN);
        assertThat(lab.pop()).isNull();
    }

    @Test
    void workDoesNotTouchTheAnswerAndARemovalDoes() {
        lab.push("a");
        work("1");
        lab.ask(new Push(lab.next(), Lab.QUEUE, replacing("a")));
        assertThat(ask("a").answer().result().json()).isEqualTo("1");
        assertThat(lab.show("a").answer().result().json()).isEqualTo("1");

        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        assertThat(ask("a").status()).isEqualTo(Status.PENDING);
    }

    private static Item replacing(String key) {
        return new Item(key, null, null, 3, null, null, null, null, null, null, Item.IfPresent.REPLACE);
    }

    @Test
    void whatSomebodyWaitedForIsThereForTenSecondsForWhoAsksAgain() {
        lab.queue(settings(100, 0, 0, Refresh.NEVER));
        Answer one = question("a", null, null, WAIT);
        lab.ask(one);
        LeasedItem item = lab.pop();
        lab.pass(5);
        assertThat(lab.answer(one.n()).status()).isEqualTo(Status.PENDING);
        finish(item, "1");

        assertThat(ask("a").status()).isEqualTo(Status.FRESH);
        lab.pass(11);
        assertThat(ask("a").status()).isEqualTo(Status.PENDING);
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 60, 600, 86_400})
    void anAnswerThatSomebodyAsksForTowardsItsEndIsLookedUpAnew(int freshS) {
        lab.queue(settings(100, freshS, 0, Refresh.ASKED));
        for (String key : List.of("asked", "read", "forgotten")) {
            lab.push(key);
            work("1");
        }
        lab.now += freshS * 900L - 1;
        ask("asked");
        assertThat(lab.pop()).isNull();
        lab.now++;
        ask("asked");
        ask("asked");
        lab.ask(new Answer(lab.next(), Lab.QUEUE, key("read"), false, null, null, 0));

        assertThat(lab.keys(2)).containsExactly("asked", null);
    }

    @Test
    void aQuestionOfAnotherKindDoesNotTakeThePlaceOfADeadItem() {
        lab.ask(question("a", null, null, 0));
        lab.end(lab.pop(), End.FAILED);
        lab.pass(30);
        Item other = new Item("a", "other", null, 7, null, null, null, null, null, null, null);

        assertThat(lab.ask(new Answer(lab.next(), Lab.QUEUE, other, true, null, null, 0))
                        .reason())
                .contains("the key is there with another kind");
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.DEAD);
    }

    @Test
    void aLookUpTowardsTheEndThatFailedIsNotRepeatedForAWhile() {
        lab.queue(settings(100, 600, 0, Refresh.ASKED));
        lab.push("a");
        work("1");
        lab.pass(541);
        ask("a");
        lab.end(lab.pop(), End.FAILED);

        assertThat(ask("a").status()).isEqualTo(Status.FRESH);
        assertThat(lab.pop()).isNull();
        lab.pass(30);
        ask("a");
        assertThat(lab.pop()).isNotNull();
    }

    @Test
    void anItemThatComesBackFromItsWorkerGoesBeforeOthersOnlyWhileSomebodyWaitsForIt() {
        lab.queue(settings(100, 0, 0, Refresh.NEVER));
        for (String key : List.of("a", "b")) {
            lab.ask(question(key, null, null, WAIT));
        }
        LeasedItem first = lab.pop();
        lab.end(first, End.RELEASED);
        assertThat(lab.show("a").priority()).isEqualTo(1);
        LeasedItem again = lab.pop();
        lab.pass(5);
        lab.end(again, End.RELEASED);

        assertThat(lab.show(again.key()).priority()).isEqualTo(7);
    }

    @Test
    void aQueueKeepsNoMoreAnswersThanMayRestAndForgetsThemInTime() {
        lab.queue(settings(2, 60, 0, Refresh.NEVER));
        for (String key : List.of("a", "b", "c")) {
            lab.push(key);
            work("1");
        }
        assertThat(ask("b").status()).isEqualTo(Status.FRESH);
        assertThat(lab.show("c")).isNull();
        lab.pass(180);
        assertThat(lab.show("a")).isNull();

        lab.push("d");
        work("1");
        assertThat(lab.show("d").state()).isEqualTo(ShownItem.State.RESTING);
    }

    @Test
    void answersAreThereAfterARestart() {
        lab.push("a");
        work("1");
        lab.restart(lab.store);

        assertThat(ask("a").status()).isEqualTo(Status.FRESH);
    }

    /** It would be looked up without end. */
    @Test
    void anAnswerThatIsNeverFreshIsNotLookedUpAnew() {
        lab.queue(settings(100, 0, 60, Refresh.ALWAYS));
        lab.push("a");
        work("1");
        lab.pass(60);

        assertThat(lab.pop()).isNull();
    }

    @Test
    void aWaitThatEndsWhileALargePurgeGoesOnIsAnswered() {
        for (int i = 0; i < 1_050; i++) {
            lab.push("k" + i);
        }
        Item last = new Item("last", "z", null, 3, null, null, null, null, null, null, null);
        Answer ask = new Answer(lab.next(), Lab.QUEUE, last, true, null, null, 4_000);
        Show show = new Show(lab.next(), Lab.QUEUE, "k1049", 4_000);
        lab.ask(ask);
        lab.ask(show);
        lab.steps = false;

        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.PURGE));
        lab.now += 5_000;
        lab.pass(5);

        assertThat(lab.answer(ask.n()).status()).isEqualTo(Status.PENDING);
        assertThat(lab.answer(show.n()).status()).isEqualTo(Status.UNKNOWN);
    }

    @Test
    void whoWaitsForALeasedItemHearsOfItsEndAlsoWhenTheQueueIsPurgedMeanwhile() {
        Answer one = question("a", null, null, WAIT);
        lab.ask(one);
        LeasedItem first = lab.pop();
        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.PURGE));
        lab.end(first, End.RELEASED);
        work("1");

        assertThat(lab.answer(one.n()).status()).isEqualTo(Status.FRESH);
    }

    @Test
    void anOldAnswerThatIsGivenWhileWorkStartsLeavesTheWorkAsItIs() {
        lab.queue(settings(100, 0, 600, Refresh.ASKED));
        lab.ask(new Push(
                lab.next(), Lab.QUEUE, new Item("a", null, null, 3, null, null, null, null, EVERY_HOUR, null, null)));
        work("1");
        assertThat(ask("a").status()).isEqualTo(Status.OLD);

        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.WAITING);
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        lab.pass(3_600);
        assertThat(lab.pop()).isNull();
        assertThat(lab.show("a")).isNull();
    }

    @Test
    void anItemThatIsTriedAgainAfterItsDeathGoesBeforeNoOthers() {
        lab.ask(question("a", null, null, WAIT));
        lab.end(lab.pop(), End.FAILED);
        lab.ask(new Redrive(lab.next(), Lab.QUEUE, 1));

        assertThat(lab.show("a").priority()).isEqualTo(7);
    }
}
