package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import org.junit.jupiter.api.Test;

/** The cases that Unbound's scenarios of prefetching and of expired answers have; docs/QUEUE-CASES.md says where Weir differs. */
class UnboundCasesTest {

    private static final int FRESH = 3_600;
    private static final int STALE = 86_400;
    private static final int RECHECK = 5;
    private static final String NAME = "www.example.com";

    private final Lab lab = new Lab();

    UnboundCasesTest() {
        lab.queue(settings(STALE, Refresh.NEVER));
    }

    private static QueueSettings settings(int staleS, Refresh refresh) {
        return new QueueSettings(
                null, null, null, null, null, null, 1, null, null, null, null, null, null, null, null, null, FRESH,
                staleS, RECHECK, refresh, null);
    }

    private Answer question(boolean start, int waitMs) {
        Item item = new Item(NAME, null, null, null, null, null, null, null, null, null, null);
        return new Answer(lab.next(), Lab.QUEUE, item, start, null, null, waitMs);
    }

    private QueueAnswer ask() {
        return lab.ask(question(true, 0));
    }

    private void lookUp(String result) {
        lab.ask(new Done(
                lab.next(), lab.pop().token(), End.FINISHED, new Payload(result), null, null, null, null, null, null));
    }

    private void known() {
        ask();
        lookUp("1");
    }

    @Test
    void aKnownAnswerIsGivenUntilItIsNoLongerFresh() {
        known();
        lab.pass(FRESH / 2);

        QueueAnswer answer = ask();
        assertThat(answer.status()).isEqualTo(Status.FRESH);
        assertThat(answer.answer().freshMs()).isEqualTo(FRESH * 500L);
        assertThat(lab.pop()).isNull();
    }

    @Test
    void anAnswerThatIsAskedForInTheLastTenthOfItsLifeIsFetchedAgain() {
        lab.queue(settings(STALE, Refresh.ASKED));
        known();
        lab.pass(FRESH * 9 / 10 - 1);
        ask();
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop()).isNull();
        assertThat(ask().status()).isEqualTo(Status.FRESH);
        lookUp("2");

        QueueAnswer answer = ask();
        assertThat(answer.answer().result()).isEqualTo(new Payload("2"));
        assertThat(answer.answer().freshMs()).isEqualTo(FRESH * 1_000L);
    }

    @Test
    void anExpiredAnswerIsGivenAtOnceToWhoDoesNotWaitAndIsLookedUp() {
        known();
        lab.pass(FRESH + 1);

        assertThat(ask().status()).isEqualTo(Status.OLD);
        lookUp("2");
        assertThat(ask().answer().result()).isEqualTo(new Payload("2"));
    }

    @Test
    void whoWaitsGetsTheExpiredAnswerOnlyWhenNoOtherComesInTime() {
        known();
        lab.pass(FRESH + 1);
        Answer slow = question(true, 1_000);
        assertThat(lab.ask(slow)).isNull();
        lab.pass(1);
        assertThat(lab.answer(slow.n()).status()).isEqualTo(Status.OLD);

        Answer quick = question(true, 1_000);
        lab.ask(quick);
        lookUp("2");
        assertThat(lab.answer(quick.n()).answer().result()).isEqualTo(new Payload("2"));
    }

    @Test
    void aFailedLookUpGivesTheExpiredAnswerAndIsNotRepeatedForAWhile() {
        known();
        lab.pass(FRESH + 1);
        Answer waits = question(true, 1_000);
        lab.ask(waits);
        lab.end(lab.pop(), End.FAILED);
        assertThat(lab.answer(waits.n()).status()).isEqualTo(Status.OLD);

        assertThat(ask().status()).isEqualTo(Status.OLD);
        assertThat(lab.pop()).isNull();
        lab.pass(RECHECK);
        assertThat(ask().status()).isEqualTo(Status.OLD);
        lookUp("2");
        assertThat(ask().status()).isEqualTo(Status.FRESH);
    }

    @Test
    void aFailureIsAnAnswerToo() {
        ask();
        lab.end(lab.pop(), End.FAILED);

        assertThat(ask().status()).isEqualTo(Status.FAILED);
        assertThat(lab.pop()).isNull();
        lab.pass(RECHECK);
        assertThat(ask().status()).isEqualTo(Status.PENDING);
        lookUp("1");
        assertThat(ask().status()).isEqualTo(Status.FRESH);
    }

    @Test
    void anAnswerThatIsTooOldIsNotGivenAlsoWhenItsLookUpFails() {
        lab.queue(settings(1, Refresh.NEVER));
        known();
        lab.pass(FRESH + 2);
        Answer waits = question(true, 1_000);
        lab.ask(waits);
        lab.end(lab.pop(), End.FAILED);

        assertThat(lab.answer(waits.n()).status()).isEqualTo(Status.FAILED);
    }

    @Test
    void whoOnlyLooksGetsWhatIsKeptAndStartsNothing() {
        known();
        lab.pass(FRESH + 1);

        assertThat(lab.ask(question(false, 0)).status()).isEqualTo(Status.OLD);
        assertThat(lab.pop()).isNull();
    }
}
