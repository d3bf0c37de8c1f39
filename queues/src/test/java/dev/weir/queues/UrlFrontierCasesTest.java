package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Hold;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.SetLimit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cases that URLFrontier's tests of reservations have: a host is a limit group, its delay a window; docs/QUEUE-CASES.md says where Weir differs. */
class UrlFrontierCasesTest {

    private static final String HOST = "host:mysite";
    private static final int DELAY = 30;

    private final Lab lab = new Lab().queue();

    @BeforeEach
    void twoPagesOfAHost() {
        limit(null);
        lab.push(lab.item("a", 3, HOST));
        lab.push(lab.item("b", 3, HOST));
    }

    private void limit(Integer inFlight) {
        lab.ask(new SetLimit(lab.next(), HOST, inFlight, 1, DELAY));
    }

    @Test
    void aHostIsVisitedOnceInItsDelayHoweverManyAsk() {
        assertThat(lab.pop(9)).hasSize(1);
        assertThat(lab.pop(9)).isEmpty();
        lab.pass(DELAY - 1);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop().key()).isEqualTo("b");
    }

    @Test
    void twoPopsThatWaitShareOneVisit() {
        assertThat(lab.pop().key()).isEqualTo("a");
        long first = lab.next();
        long second = lab.next();
        lab.ask(new Pop(first, Lab.QUEUE, List.of(), 1, 5_000));
        lab.ask(new Pop(second, Lab.QUEUE, List.of(), 1, 5_000));
        lab.pass(5);

        assertThat(lab.answer(first).items()).isEmpty();
        assertThat(lab.answer(second).items()).isEmpty();
    }

    @Test
    void aPopThatGetsNothingUsesUpNoVisit() {
        assertThat(lab.ask(new Pop(lab.next(), Lab.QUEUE, List.of("none"), 1, 0))
                        .items())
                .isEmpty();

        assertThat(lab.pop().key()).isEqualTo("a");
    }

    @Test
    void aVisitThatTakesLongerThanTheDelayKeepsTheNextOneOutIfOneIsAllowedAtATime() {
        limit(1);
        LeasedItem first = lab.pop();
        for (int i = 0; i < 2; i++) {
            lab.pass(DELAY);
            lab.extend(first);
            assertThat(lab.pop()).isNull();
        }

        lab.finish(first);
        assertThat(lab.pop().key()).isEqualTo("b");
    }

    @Test
    void aVisitThatFailsHasStillTakenPlace() {
        lab.end(lab.pop(), End.FAILED);
        assertThat(lab.pop()).isNull();
        lab.pass(DELAY);

        assertThat(lab.pop()).isNotNull();
    }

    @Test
    void aHostThatAsksForAPauseGetsIt() {
        LeasedItem first = lab.pop();
        lab.ask(new Hold(lab.next(), first.token(), HOST, 3 * DELAY));
        lab.finish(first);
        lab.pass(3 * DELAY - 1);
        assertThat(lab.pop()).isNull();
        lab.pass(1);

        assertThat(lab.pop().key()).isEqualTo("b");
    }

    @Test
    void otherHostsGoOnMeanwhile() {
        lab.push(lab.item("c", 3, "host:other"));

        assertThat(lab.pop(9)).extracting(LeasedItem::key).containsExactly("a", "c");
    }
}
