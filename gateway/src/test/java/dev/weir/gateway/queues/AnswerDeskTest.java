package dev.weir.gateway.queues;

import static dev.weir.gateway.queues.AnswerDesk.MOST;
import static dev.weir.gateway.queues.AnswerDesk.MOST_OF_CLIENT;
import static dev.weir.gateway.queues.ScriptedQueues.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LastAnswer;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Answers of keys: kept for a moment, asked for together, and waited for in parts. */
class AnswerDeskTest {

    private static final long HOUR = 3_600_000;

    private final ScriptedQueues queues = new ScriptedQueues();
    private final FreshAnswers fresh = new FreshAnswers(queues);
    private final AnswerDesk desk = new AnswerDesk(queues, fresh, queues, new SimpleMeterRegistry());
    private boolean gone;

    private static Question question(String key, Long maxAgeMs, Long staleMs) {
        Item item = new Item(key, null, null, null, new Payload("1"), null, null, null, null, null, null);
        return new Question("whois", item, true, maxAgeMs, staleMs);
    }

    private CompletableFuture<QueueAnswer> ask(Question question, long waitMillis) {
        return desk.ask("me", question, waitMillis, () -> gone);
    }

    private CompletableFuture<QueueAnswer> ask(String key) {
        return ask(question(key, null, null), 0);
    }

    private void keep(long ageMs, long freshMs) {
        CompletableFuture<QueueAnswer> first = ask("a");
        queues.answer(answer(Status.FRESH, "\"x\"", ageMs, freshMs));
        assertThat(first).isCompleted();
    }

    @Test
    void aFreshAnswerIsGivenFromMemoryForASecondAndGrowsOlderThere() {
        keep(70_000, HOUR);
        queues.pass(Duration.ofMillis(400));
        LastAnswer kept = ask("a").join().answer();
        assertThat(kept.result().json()).isEqualTo("\"x\"");
        assertThat(kept.ageMs()).isEqualTo(70_400);
        assertThat(kept.freshMs()).isEqualTo(HOUR - 400);
        queues.pass(Duration.ofMillis(599));
        assertThat(ask("a").join().answer().ageMs()).isEqualTo(70_999);
        assertThat(queues.asked).hasSize(1);

        queues.pass(Duration.ofMillis(1));
        assertThat(ask("a")).isNotDone();
        assertThat(queues.asked).hasSize(2);
    }

    @Test
    void noAnswerIsGivenFromMemoryBeyondItsEnd() {
        keep(2_700, 300);
        queues.pass(Duration.ofMillis(299));
        assertThat(ask("a").join().answer().freshMs()).isEqualTo(1);
        queues.pass(Duration.ofMillis(1));
        assertThat(ask("a")).isNotDone();
    }

    @Test
    void theFirstQuestionInTheLastTenthOfAShortLifeGoesToTheQueues() {
        keep(1_500, 500);
        queues.pass(Duration.ofMillis(299));
        assertThat(ask("a")).isDone();
        queues.pass(Duration.ofMillis(1));
        assertThat(ask("a")).isNotDone();
        assertThat(queues.asked).hasSize(2);
    }

    @Test
    void whatIsNotFreshOrOfAnotherKeyOrQueueIsNotGivenFromMemory() {
        CompletableFuture<QueueAnswer> old = ask("old");
        queues.answer(answer(Status.OLD, "1", 5, 0));
        assertThat(old.join().status()).isEqualTo(Status.OLD);
        assertThat(ask("old")).isNotDone();
        keep(0, HOUR);
        assertThat(ask("b")).isNotDone();
        Question there = question("a", null, null);
        assertThat(ask(new Question("dns", there.item(), true, null, null), 0)).isNotDone();
    }

    @Test
    void whoWantsAYoungerAnswerThanThatInMemoryAsksTheQueues() {
        keep(5_000, HOUR);
        queues.pass(Duration.ofMillis(500));
        assertThat(ask(question("a", 5_500L, null), 0)).isDone();
        assertThat(ask(question("a", 5_499L, null), 0)).isNotDone();
        assertThat(queues.last().maxAgeMs()).isEqualTo(5_499);
    }

    @Test
    void aDroppedAnswerIsAskedForAgain() {
        keep(0, HOUR);
        fresh.drop("whois", "b");
        assertThat(ask("a")).isDone();
        fresh.drop("whois", "a");
        assertThat(ask("a")).isNotDone();
        queues.answer(answer(Status.FRESH, "2", 0, HOUR));
        fresh.drop("dns");
        assertThat(ask("a")).isDone();
        fresh.drop("whois");
        assertThat(ask("a")).isNotDone();
    }

    /** As when the gateway stands still for a while, and then reads what came meanwhile. */
    @Test
    void anAnswerThatWasLongOnItsWayIsGivenToNobodyWhoAsksAfterThat() {
        CompletableFuture<QueueAnswer> early = ask("a");
        queues.pass(Duration.ofMillis(1_001));
        CompletableFuture<QueueAnswer> later = ask("a");
        assertThat(queues.asked).hasSize(2);
        queues.answer(0, answer(Status.FRESH, "1", 0, HOUR));
        assertThat(early).isDone();
        assertThat(later).isNotDone();
        assertThat(ask("a")).isNotDone();
        queues.answer(1, answer(Status.FRESH, "2", 0, HOUR));
        assertThat(later.join().answer().result().json()).isEqualTo("2");
        assertThat(ask("a").join().answer().result().json()).isEqualTo("2");
    }

    @Test
    void memoryHasABound() {
        String large = "\"" + "x".repeat(60_000) + "\"";
        for (int i = 0; i < 600; i++) {
            fresh.keep("whois", "k" + i, new LastAnswer(new Payload(large), 0, HOUR, 0), queues.read());
        }
        long found = 0;
        for (int i = 0; i < 600; i++) {
            found += fresh.find("whois", "k" + i) == null ? 0 : 1;
        }
        assertThat(found).isBetween(200L, 279L);
    }

    @Test
    void allWhoAskTheSameAtTheSameTimeAskOnceAndGetTheSame() {
        List<CompletableFuture<QueueAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(ask(question("a", 0L, null), 2_000));
        }
        all.add(ask(question("b", 0L, null), 2_000));
        assertThat(queues.asked).hasSize(2);
        queues.answer(0, answer(Status.FRESH, "7", 0, 0));
        assertThat(all.subList(0, 50))
                .allSatisfy(
                        one -> assertThat(one.join().answer().result().json()).isEqualTo("7"));
        assertThat(all.get(50)).isNotDone();
    }

    @Test
    void whoseTimeEndsEarlierOrWhoTakesOlderAnswersDoesNotWaitWithOthers() {
        CompletableFuture<QueueAnswer> longer = ask(question("a", 0L, null), 4_000);
        CompletableFuture<QueueAnswer> shorter = ask(question("a", 0L, null), 1_000);
        CompletableFuture<QueueAnswer> content = ask(question("a", null, null), 4_000);
        assertThat(queues.asked).hasSize(3);
        queues.answer(2, answer(Status.FRESH, "1", 9, HOUR));
        assertThat(content).isDone();
        assertThat(shorter).isNotDone();
        assertThat(longer).isNotDone();
    }

    @Test
    void aLongWaitIsAskedInPartsAndAnAnswerThatCameBetweenThemIsYoungEnough() {
        CompletableFuture<QueueAnswer> waiting = ask(question("a", 1_000L, 0L), 12_000);
        assertThat(queues.last().waitMs()).isEqualTo(5_000);
        assertThat(queues.last().maxAgeMs()).isEqualTo(1_000);
        queues.passWithout();
        assertThat(queues.last().maxAgeMs()).isEqualTo(6_000);
        queues.passWithout();
        assertThat(queues.last().waitMs()).isEqualTo(2_000);
        assertThat(queues.last().maxAgeMs()).isEqualTo(11_000);
        assertThat(waiting).isNotDone();
        queues.passWithout();
        assertThat(waiting.join().status()).isEqualTo(Status.PENDING);
        assertThat(queues.asked).hasSize(3);
    }

    @Test
    void manyWhoWaitLongAskOnceInEachPart() {
        List<CompletableFuture<QueueAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(ask(question("a", 0L, 0L), 9_000));
            queues.pass(Duration.ofMillis(10));
        }
        assertThat(queues.asked).hasSize(1);
        queues.pass(Duration.ofMillis(4_800));
        queues.answer(QueueAnswer.of(0, Status.PENDING));
        int asked = queues.asked.size();
        assertThat(asked).as("their ends are 190 ms apart").isBetween(2, 4);
        assertThat(queues.last().waitMs()).isBetween(4_000, 4_200);
        for (int i = 1; i < asked; i++) {
            queues.answer(i, answer(Status.FRESH, "1", 0, HOUR));
        }
        assertThat(all).allSatisfy(one -> assertThat(one.join().status()).isEqualTo(Status.FRESH));
    }

    @Test
    void oneThatIsNoLongerFreshIsTakenInTheLastPartOnly() {
        CompletableFuture<QueueAnswer> waiting = ask(question("a", null, null), 8_000);
        assertThat(queues.last().staleMs()).isZero();
        queues.passWithout();
        assertThat(queues.last().staleMs()).isNull();
        queues.answer(answer(Status.OLD, "1", HOUR, 0));
        assertThat(waiting.join().status()).isEqualTo(Status.OLD);
    }

    @Test
    void oneThatIsNoLongerFreshIsNotTakenBeforeTheTimeIsOverAlsoOfOneWhoAskedBefore() {
        CompletableFuture<QueueAnswer> earlier = ask(question("a", null, null), 4_000);
        queues.pass(Duration.ofMillis(3_000));
        CompletableFuture<QueueAnswer> later = ask(question("a", null, null), 4_000);
        queues.pass(Duration.ofMillis(1_000));
        queues.answer(0, answer(Status.OLD, "1", HOUR, 0));

        assertThat(earlier).isDone();
        assertThat(later).isNotDone();
        queues.answer(1, answer(Status.FRESH, "2", 0, HOUR));
        assertThat(later.join().status()).isEqualTo(Status.FRESH);
    }

    @Test
    void aHundredWhoseTimesEndOneAfterAnotherCostFewQuestionsAndNoneGetsWhatIsNotFreshBeforeItsEnd() {
        costFewQuestions(answer(Status.OLD, "1", HOUR, 0));
    }

    @Test
    void aHundredWhoseTimesEndOneAfterAnotherCostFewQuestionsAlsoWithoutAnyAnswer() {
        costFewQuestions(QueueAnswer.of(0, Status.PENDING));
    }

    /** They ask during six seconds, and each waits for four. */
    private void costFewQuestions(QueueAnswer atTheEnd) {
        List<CompletableFuture<QueueAnswer>> all = new ArrayList<>();
        int mostOpen = 0;
        for (int now = 0; now < 11_000; now += 10) {
            queues.answerThoseWhoseTimeIsOver(atTheEnd);
            if (now % 60 == 0 && all.size() < 100) {
                all.add(ask(question("a", null, null), 4_000));
            }
            mostOpen = Math.max(mostOpen, queues.open());
            for (int i = 0; i < all.size(); i++) {
                int waited = now - 60 * i;
                assertThat(waited >= 4_000 || !all.get(i).isDone()).isTrue();
                assertThat(waited <= 4_500 || all.get(i).isDone()).isTrue();
            }
            queues.pass(Duration.ofMillis(10));
        }
        assertThat(all).hasSize(100).allMatch(one -> one.join().status() == atTheEnd.status());
        assertThat(queues.asked).hasSizeLessThanOrEqualTo(2 + 2 * 6);
        assertThat(mostOpen).isLessThanOrEqualTo(2);
    }

    @Test
    void whatIsNoLongerFreshIsTakenEarlyWhenTheQueuesGiveItBeforeTheTimeIsOver() {
        CompletableFuture<QueueAnswer> earlier = ask(question("a", null, null), 4_000);
        queues.pass(Duration.ofMillis(1_000));
        CompletableFuture<QueueAnswer> later = ask(question("a", null, null), 4_000);
        queues.pass(Duration.ofMillis(2_000));
        queues.answer(answer(Status.OLD, "1", HOUR, 0));

        assertThat(earlier).isDone();
        assertThat(later).as("its look-up has failed").isDone();
        assertThat(queues.asked).hasSize(1);
    }

    @Test
    void whoDoesNotWaitAsksTogetherWithOthersHoweverLongTheQueuesTake() {
        CompletableFuture<QueueAnswer> first = ask("a");
        queues.pass(Duration.ofMillis(900));
        CompletableFuture<QueueAnswer> second = ask("a");
        queues.answer(answer(Status.OLD, "1", HOUR, 0));

        assertThat(queues.asked).hasSize(1);
        assertThat(first).isDone();
        assertThat(second).isDone();
    }

    @Test
    void whenALookupFailsEarlyOneThatIsNoLongerFreshIsLookedForWithoutNewWork() {
        CompletableFuture<QueueAnswer> lucky = ask(question("a", null, 9_000L), 60_000);
        queues.answer(QueueAnswer.of(0, Status.FAILED, "no route"));
        assertThat(queues.last().start()).isFalse();
        assertThat(queues.last().waitMs()).isZero();
        assertThat(queues.last().staleMs()).isEqualTo(9_000);
        queues.answer(answer(Status.OLD, "1", HOUR, 0));
        assertThat(lucky.join().status()).isEqualTo(Status.OLD);

        CompletableFuture<QueueAnswer> unlucky = ask(question("b", null, null), 60_000);
        queues.answer(QueueAnswer.of(0, Status.FAILED, "no route"));
        queues.answer(QueueAnswer.of(0, Status.UNKNOWN, "no such key"));
        assertThat(unlucky.join().reason()).isEqualTo("no route");

        CompletableFuture<QueueAnswer> strict = ask(question("c", null, 0L), 60_000);
        queues.answer(QueueAnswer.of(0, Status.FAILED, "no route"));
        assertThat(strict.join().status()).isEqualTo(Status.FAILED);
    }

    @Test
    void nobodyAsksAgainAtOnceWhenTheQueuesLetNoMoreWait() {
        CompletableFuture<QueueAnswer> waiting = ask(question("a", null, 0L), 60_000);
        queues.answer(QueueAnswer.of(0, Status.PENDING));
        assertThat(waiting.join().status()).isEqualTo(Status.PENDING);
        assertThat(queues.asked).hasSize(1);
    }

    @Test
    void whoWaitsWaitsOnWhenTheItemGoesWithoutAnAnswer() {
        CompletableFuture<QueueAnswer> waiting = ask(question("a", null, 0L), 10_000);
        queues.pass(Duration.ofMillis(500));
        queues.answer(QueueAnswer.of(0, Status.PENDING));
        assertThat(waiting).isNotDone();
        assertThat(queues.last().waitMs()).isEqualTo(5_000);
        queues.answer(answer(Status.FRESH, "1", 0, HOUR));
        assertThat(waiting.join().status()).isEqualTo(Status.FRESH);
    }

    @Test
    void whoHasGoneIsNotAskedForAnyMore() {
        CompletableFuture<QueueAnswer> waiting = ask(question("a", null, 0L), 60_000);
        gone = true;
        queues.passWithout();
        assertThat(waiting).isDone();
        assertThat(queues.asked).hasSize(1);
    }

    @Test
    void aClientHasAHundredOpenAndAllTogetherTenThousand() {
        List<CompletableFuture<QueueAnswer>> open = new ArrayList<>();
        for (int i = 0; i < MOST_OF_CLIENT; i++) {
            open.add(ask("k" + i));
        }
        assertThat(open).noneMatch(CompletableFuture::isDone);
        assertThatThrownBy(ask("one more")::join)
                .hasCauseInstanceOf(TooManyAsk.class)
                .hasMessageContaining("100 requests of this token");
        keepOf("another", "kept");
        assertThat(ask("kept")).as("from memory").isDone();
        queues.answer(0, QueueAnswer.of(0, Status.PENDING));
        assertThat(ask("one more")).isNotDone();

        for (int i = 0; i < MOST - MOST_OF_CLIENT; i++) {
            open.add(desk.ask("client " + i, question("k" + i, null, null), 0, () -> false));
        }
        assertThatThrownBy(desk.ask("last", question("last", null, null), 0, () -> false)::join)
                .hasMessageContaining("10000 requests wait");
    }

    private void keepOf(String client, String key) {
        CompletableFuture<QueueAnswer> asked = desk.ask(client, question(key, null, null), 0, () -> false);
        queues.answer(answer(Status.FRESH, "1", 0, HOUR));
        assertThat(asked).isDone();
    }

    @Test
    void aFailureOfTheWayToTheQueuesGoesToAllWhoWaitAndFreesTheirPlaces() {
        for (int i = 0; i < 2 * MOST_OF_CLIENT; i++) {
            CompletableFuture<QueueAnswer> one = ask("a");
            queues.asked.get(queues.asked.size() - 1).answer().completeExceptionally(new IllegalStateException("away"));
            assertThatThrownBy(one::join).hasMessageContaining("away");
        }
    }
}
