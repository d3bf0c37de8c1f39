package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueAnswer;
import dev.weir.protocol.queue.QueueEntry.Pop;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two kinds are in one group, and no worker asks for one of them. */
class UnwantedKindTest {

    private static final int RUNS = 20;
    private final Lab lab = new Lab().queue();
    private LeasedItem leased;

    @BeforeEach
    void onePlaceIsTaken() {
        lab.limit("g", 1);
        push("unwanted", "x");
        for (int i = 0; i < 10 * RUNS; i++) {
            push("wanted-" + i, "y");
        }
        leased = lab.ask(pop("y", 0)).items().get(0);
    }

    private void push(String key, String kind) {
        lab.push(new Item(key, kind, null, 3, null, List.of("g"), null, null, null, null, null));
    }

    private Pop pop(String kind, int waitMs) {
        return new Pop(lab.next(), Lab.QUEUE, List.of(kind), 1, waitMs);
    }

    /** A worker of the wanted kind asks while the other has the place. How often it gets that as soon as it is free. */
    private int atOnce(int runs) {
        int served = 0;
        for (int i = 0; i < runs; i++) {
            Pop next = pop("y", 5_000);
            assertThat(lab.ask(next)).isNull();
            // Another worker waits too, so that the queue looks for more when the place is taken.
            lab.ask(pop("z", 5_000));
            lab.pass(1);
            lab.finish(leased);
            var answer = lab.answer(next.n());
            served += answer == null ? 0 : 1;
            for (; answer == null; answer = lab.answer(next.n())) {
                lab.pass(1);
            }
            while (answer.items().isEmpty()) {
                lab.pass(1);
                answer = lab.ask(pop("y", 0));
            }
            leased = answer.items().get(0);
        }
        return served;
    }

    @Test
    void aKindThatNobodyHasAskedForKeepsNoPlace() {
        assertThat(atOnce(RUNS)).isEqualTo(RUNS);
    }

    @Test
    void aKindThatNobodyAsksForAnyMoreKeepsNoneSoonAfter() {
        assertThat(lab.ask(pop("x", 0)).items()).isEmpty();
        int early = atOnce(RUNS);
        lab.finish(leased);
        lab.pass(310);

        leased = lab.ask(pop("y", 0)).items().get(0);
        assertThat(atOnce(RUNS)).isEqualTo(RUNS);
        assertThat(early).as("it waits its turn while a worker may come back").isLessThan(RUNS);
    }

    @Test
    void aKindThatIsAskedForGetsItsTurnThoughOthersAskAllTheTime() {
        Pop other = pop("x", 5_000);
        QueueAnswer answer = lab.ask(other);
        for (int i = 0; answer == null && i < 4; i++) {
            Pop next = pop("y", 5_000);
            assertThat(lab.ask(next)).isNull();
            lab.pass(1);
            lab.finish(leased);
            answer = lab.answer(other.n());
            leased = answer == null ? lab.answer(next.n()).items().get(0) : leased;
        }

        assertThat(answer.items()).extracting(LeasedItem::key).containsExactly("unwanted");
    }
}
