package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueSettings.Refresh;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who asks for a key whose look-up failed, and what becomes of its answer. */
class FailedLookUpTest {

    private final Lab lab = new Lab().queue(AnswerTest.settings(100, 60, 600, Refresh.NEVER));

    private QueueAnswer ask() {
        return lab.ask(new Answer(lab.next(), Lab.QUEUE, lab.item("a", 7), true, null, null, 0));
    }

    @Test
    void aFailureFromATimeThatHasNotComeIsNoAnswer() {
        long right = lab.now;
        lab.now += 3_600_000L * 24;
        ask();
        lab.end(lab.pop(), End.FAILED);
        lab.now = right;

        assertThat(ask().status()).isEqualTo(Status.PENDING);
    }

    @Test
    void anAnswerThatIsAlwaysLookedUpAnewIsAlsoAfterALookUpThatFailedWhileItMayBeGiven() {
        lab.queue(AnswerTest.settings(100, 600, 200, Refresh.ALWAYS));
        lab.push("a");
        lab.finish(lab.pop());
        for (int after : List.of(540, 60, 60, 60, 60)) {
            lab.pass(after - 1);
            assertThat(lab.pop()).isNull();
            lab.pass(1);
            lab.end(lab.pop(), End.FAILED);
        }

        lab.pass(600);
        assertThat(lab.pop()).isNull();
    }
}
