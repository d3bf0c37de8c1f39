package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import org.junit.jupiter.api.Test;

/** Results that are no answers. */
class WithheldAnswersTest {

    private final Lab lab = new Lab().queue(AnswerTest.settings(100, 60, 600, Refresh.NEVER));

    private Answer question(String key, Long maxAgeMs, int waitMs) {
        return new Answer(lab.next(), Lab.QUEUE, lab.item(key, 7), true, maxAgeMs, null, waitMs);
    }

    private void finish(LeasedItem item) {
        lab.ask(new Done(lab.next(), item.token(), End.FINISHED, new Payload("1"), null, null, null, null, null, null));
    }

    /** Its worker hears that the lease was lost. */
    @Test
    void theResultOfAnItemThatWasRemovedMeanwhileIsGivenToNobody() {
        Answer question = question("a", null, 5_000);
        lab.ask(question);
        LeasedItem item = lab.pop();
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        finish(item);

        assertThat(lab.answer(question.n()).status()).isEqualTo(Status.PENDING);
        assertThat(lab.ask(question("a", null, 0)).status()).isEqualTo(Status.PENDING);
    }

    /** Otherwise its askers would hear that it is pending, and no worker would ever get it. */
    @Test
    void aQuestionForAKeyThatWasRemovedWhileAWorkerHasItMakesWorkForTheNext() {
        lab.push("a");
        LeasedItem item = lab.pop();
        lab.ask(new Remove(lab.next(), Lab.QUEUE, "a"));
        Answer look = new Answer(lab.next(), Lab.QUEUE, lab.item("a", 7), false, null, null, 0);

        assertThat(lab.ask(look).status()).as("who only looks").isEqualTo(Status.UNKNOWN);
        assertThat(lab.ask(question("a", null, 0)).status()).isEqualTo(Status.PENDING);
        assertThat(lab.ask(question("a", null, 0)).status()).isEqualTo(Status.PENDING);
        finish(item);
        finish(lab.pop());

        assertThat(lab.pop()).isNull();
        assertThat(lab.ask(question("a", null, 0)).status()).isEqualTo(Status.FRESH);
    }

    @Test
    void whatWasMadeWhileTheClockWasAheadIsNotFreshWhenItIsRight() {
        lab.push("a");
        finish(lab.pop());
        lab.now -= 3_600_000;
        lab.pass(1);

        assertThat(lab.ask(question("a", null, 0)).status()).isEqualTo(Status.OLD);
        assertThat(lab.ask(question("a", 60_000L, 0)).status()).isEqualTo(Status.PENDING);
    }
}
