package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Overview;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.QueueRequest;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.QueueView;
import dev.weir.queues.api.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dead items are kept up to a bound and for a time. */
class DeadTest {

    private static final int KEPT_S = 60;
    private static final int AT_ONCE = 1_000;

    private final Lab lab = new Lab();

    private static QueueSettings settings(int maxDead) {
        return new QueueSettings(
                null, null, null, null, null, null, 1, null, null, null, null, maxDead, KEPT_S, null, null, null, null,
                null, null, null, null);
    }

    private QueueView view() {
        return lab.ask(new Overview(lab.next(), Lab.QUEUE)).queues().get(0);
    }

    private void die(String key) {
        lab.push(key);
        lab.end(lab.pop(), End.FAILED);
    }

    /** In few events. */
    private void dieTogether(int count) {
        List<QueueEntry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new Push(lab.next(), Lab.QUEUE, lab.item("k" + i, 3)));
        }
        apply(entries);
        entries.clear();
        while (entries.size() < count) {
            for (LeasedItem item : lab.pop(256)) {
                entries.add(new Done(lab.next(), item.token(), End.FAILED, null, null, null, null, null, null, null));
            }
        }
        apply(entries);
    }

    private void apply(List<QueueEntry> entries) {
        for (int i = 0; i < entries.size(); i += 256) {
            List<QueueEntry> part = List.copyOf(entries.subList(i, Math.min(i + 256, entries.size())));
            lab.queues.apply(new Event.Requested(new QueueRequest("g1", part), false), lab.now);
        }
    }

    @Test
    void deathsAreCountedAndSoAreDeadItemsThatGo() {
        lab.queue(settings(2));
        for (String key : List.of("a", "b", "c")) {
            die(key);
            lab.pass(1);
        }

        assertThat(lab.show("a")).isNull();
        assertThat(List.of(view().died(), view().dead(), view().deadDropped())).containsExactly(3L, 2L, 1L);
        lab.pass(KEPT_S);
        lab.restart(lab.store.snapshot());
        assertThat(List.of(view().died(), view().dead(), view().deadDropped())).containsExactly(3L, 0L, 3L);
    }

    @Test
    void whereNoneIsKeptEachDeathIsOneThatGoes() {
        lab.queue(settings(0));
        die("a");

        assertThat(lab.show("a")).isNull();
        assertThat(List.of(view().died(), view().dead(), view().deadDropped())).containsExactly(1L, 0L, 1L);
    }

    @Test
    void whatIsRemovedOrMovedBackIsNotCountedAsDropped() {
        lab.queue(settings(10));
        die("a");
        die("b");
        lab.ask(new QueueEntry.Remove(lab.next(), Lab.QUEUE, "a"));
        lab.ask(new QueueEntry.Redrive(lab.next(), Lab.QUEUE, 1));

        assertThat(List.of(view().died(), view().dead(), view().deadDropped())).containsExactly(2L, 0L, 0L);
    }

    @Test
    void whatHasExpiredGoesAndIsNotMovedBack() {
        lab.queue(settings(10));
        Instant soon = Instant.ofEpochMilli(lab.now).plusSeconds(10);
        lab.push(new Item("a", null, null, 3, null, null, null, soon, null, null, null));
        lab.end(lab.pop(), End.FAILED);
        die("b");
        lab.pass(20);

        assertThat(lab.ask(new QueueEntry.Redrive(lab.next(), Lab.QUEUE, 10)).count())
                .isEqualTo(1);
        assertThat(lab.show("a")).isNull();
        assertThat(lab.pop().key()).isEqualTo("b");
    }

    @Test
    void aBoundThatIsLoweredTakesTheOldestAwayAThousandInAnEvent() {
        int dead = AT_ONCE + 100;
        lab.queue(settings(100_000));
        dieTogether(dead);
        lab.push("last");
        LeasedItem last = lab.pop();
        lab.steps = false;

        lab.queue(settings(10));
        assertThat(view().dead()).isEqualTo(dead);
        lab.end(last, End.FAILED);
        assertThat(view().dead()).as("one goes for one that comes").isEqualTo(dead);
        lab.pass(1);
        assertThat(view().dead()).isEqualTo(dead - AT_ONCE);
        lab.pass(1);

        assertThat(view().dead()).isEqualTo(10);
        assertThat(lab.show("last")).isNotNull();
        assertThat(view().died() - view().deadDropped()).isEqualTo(10);
    }
}
