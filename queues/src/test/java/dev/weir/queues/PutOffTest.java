package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.QueueEntry.Answer;
import dev.weir.protocol.queue.ShownItem;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Somebody asks for the result of an item that is not to start yet. */
class PutOffTest {

    private final Lab lab = new Lab().queue();
    private final Instant nextWeek = Instant.ofEpochMilli(lab.now).plusSeconds(7 * 86_400);

    PutOffTest() {
        lab.push(new Item("a", null, null, 7, null, null, nextWeek, null, null, null, null));
    }

    private void ask(boolean start) {
        Answer ask = new Answer(lab.next(), Lab.QUEUE, lab.item("a", 3), start, null, null, 5_000);
        assertThat(lab.ask(ask)).as("it waits").isNull();
    }

    /** Who may only look would otherwise start work, and have it go before that of others. */
    @Test
    void whoOnlyLooksLeavesItsDateAndItsPriorityAsTheyAre() {
        ask(false);

        ShownItem shown = lab.show("a");
        assertThat(shown.notBefore()).isEqualTo(nextWeek);
        assertThat(shown.priority()).isEqualTo(7);
        assertThat(lab.pop()).isNull();
    }

    @Test
    void whoOnlyLooksAndWaitsForLongerKeepsNoPriorityForOneWhoHasGivenUp() {
        ask(true);
        lab.pass(3);
        ask(false);
        assertThat(lab.show("a").priority()).isEqualTo(1);

        lab.pass(3);

        assertThat(lab.show("a").priority()).isEqualTo(7);
    }

    @Test
    void whoMakesWorkHasItStartNowAlsoWhenAnotherWaitsWhoOnlyLooks() {
        ask(false);
        ask(true);

        assertThat(lab.pop().key()).isEqualTo("a");
    }
}
