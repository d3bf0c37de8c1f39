package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.Item.IfPresent;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Push;
import dev.weir.protocol.queue.ShownItem;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushTest {

    private final Lab lab = new Lab().queue();

    private Item again(int priority, IfPresent ifPresent) {
        return new Item(
                "a", null, null, priority, new Payload("\"new\""), List.of(), null, null, null, null, ifPresent);
    }

    private void bring(String state) {
        lab.push(lab.item("a", 5));
        switch (state) {
            case "leased" -> lab.pop();
            case "dead" ->
                lab.ask(new QueueEntry.Done(
                        lab.next(), lab.pop().token(), End.FAILED, null, "broken", false, null, null, null, null));
            case "later" -> lab.end(lab.pop(), End.FAILED);
            default -> assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.WAITING);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"waiting", "later", "dead", "leased"})
    void aKeyThatIsThereKeepsItsKind(String state) {
        bring(state);

        assertThat(lab.push(ofKind("other")).reason()).contains("the key is there with another kind");
        lab.ask(new QueueEntry.Remove(lab.next(), Lab.QUEUE, "a"));
        assertThat(lab.push(ofKind("other")).status()).isIn(Status.CREATED, Status.AGAIN);
        assertThat(lab.push(ofKind("third")).status()).isEqualTo(Status.REFUSED);
    }

    @Test
    void aPushThatMayHaveBeenAcceptedBeforeChangesTheKind() {
        bring("waiting");

        assertThat(lab.ask(new Push(lab.next(), Lab.QUEUE, ofKind("other")), true)
                        .status())
                .isEqualTo(Status.REPLACED);
    }

    private static Item ofKind(String kind) {
        return new Item("a", kind, null, 3, null, null, null, null, null, null, IfPresent.REPLACE);
    }

    @ParameterizedTest
    @CsvSource({
        "waiting, KEEP, WAITING, 5, old",
        "waiting, RAISE, RAISED, 2, old",
        "waiting, REPLACE, REPLACED, 2, new",
        "later, KEEP, WAITING, 5, old",
        "later, RAISE, RAISED, 2, old",
        "later, REPLACE, REPLACED, 2, new",
        "dead, KEEP, CREATED, 2, new",
        "dead, RAISE, CREATED, 2, new",
        "dead, REPLACE, CREATED, 2, new",
        "leased, KEEP, LEASED, 5, old",
        "leased, RAISE, AGAIN, 5, old",
        "leased, REPLACE, AGAIN, 5, old"
    })
    void whatAPushDoesDependsOnWhereItsKeyIs(
            String state, IfPresent ifPresent, Status status, int priority, String payload) {
        bring(state);

        assertThat(lab.push(again(2, ifPresent)).status()).isEqualTo(status);

        ShownItem shown = lab.show("a");
        assertThat(shown.priority()).isEqualTo(priority);
        assertThat(shown.payload().json()).isEqualTo(payload.equals("new") ? "\"new\"" : "\"a\"");
    }

    @Test
    void aWorsePriorityRaisesNothing() {
        bring("waiting");

        assertThat(lab.push(again(9, IfPresent.RAISE)).status()).isEqualTo(Status.WAITING);
        assertThat(lab.show("a").priority()).isEqualTo(5);
    }

    @Test
    void whatWasPushedWhileTheKeyWasLeasedRunsOnceMoreWithTheLastContentAndTheBestPriority() {
        lab.push(lab.item("a", 5));
        LeasedItem first = lab.pop();
        lab.push(again(2, IfPresent.REPLACE));
        lab.push(again(4, IfPresent.REPLACE));
        lab.finish(first);

        LeasedItem second = lab.pop();

        assertThat(second.payload().json()).isEqualTo("\"new\"");
        assertThat(second.priority()).isEqualTo(2);
        assertThat(second.attempt()).isEqualTo(1);
        lab.finish(second);
        assertThat(lab.pop()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"RAISE", "REPLACE"})
    void whatWasPushedWhileTheKeyWasLeasedRunsWhenThatPushSays(IfPresent ifPresent) {
        lab.push(lab.item("a", 5));
        LeasedItem first = lab.pop();
        Instant later = Instant.ofEpochMilli(lab.now).plusSeconds(60);
        lab.push(new Item("a", null, null, 5, null, null, later, null, null, null, ifPresent));
        lab.finish(first);

        lab.pass(59);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop()).isNotNull();
    }

    /** Seconds after which the three pushes expire, 0 for never, and whether the key still runs after nine. */
    @ParameterizedTest
    @CsvSource({"5, 0, 6, true", "0, 5, 0, true", "5, 12, 6, true", "0, 6, 12, true", "9, 6, 7, false"})
    void whatWasPushedWhileTheKeyWasLeasedExpiresWhenThosePushesDo(int leased, int first, int second, boolean runs) {
        lab.push(expiring(leased));
        LeasedItem item = lab.pop();
        assertThat(lab.push(expiring(first)).status()).isEqualTo(Status.AGAIN);
        assertThat(lab.push(expiring(second)).status()).isEqualTo(Status.AGAIN);
        lab.pass(9);
        lab.finish(item);

        assertThat(lab.pop() != null).isEqualTo(runs);
    }

    private Item expiring(int seconds) {
        Instant at = seconds == 0 ? null : Instant.ofEpochMilli(lab.now).plusSeconds(seconds);
        return new Item("a", null, null, 3, null, null, null, at, null, null, null);
    }

    @Test
    void aRaisedItemNeverStartsBeforeItHasCooledOff() {
        bring("later");
        lab.push(again(1, IfPresent.RAISE));

        lab.pass(9);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        assertThat(lab.pop()).isNotNull();
    }

    @Test
    void anItemStartsNeitherBeforeItsTimeNorAfterIt() {
        Instant now = Instant.ofEpochMilli(lab.now);
        lab.push(new Item("early", null, null, 1, null, null, now.plusSeconds(5), null, null, null, null));
        lab.push(new Item("late", null, null, 2, null, null, null, now.plusSeconds(5), null, null, null));

        lab.pass(4);
        LeasedItem late = lab.pop();
        assertThat(late.key()).isEqualTo("late");
        lab.end(late, End.RELEASED);
        lab.pass(2);

        assertThat(lab.keys(2)).containsExactly("early", null);
        assertThat(lab.show("late")).isNull();
    }

    @Test
    void aPushOfSomethingThatHasExpiredIsRefusedWithTheField() {
        Item old = new Item("a", null, null, 1, null, null, null, Instant.ofEpochMilli(lab.now), null, null, null);

        assertThat(lab.push(old).field()).isEqualTo("expires_at");
    }

    @Test
    void aPushIntoNoQueueSaysSo() {
        assertThat(lab.ask(new Push(lab.next(), "nowhere", lab.item("a", 1))).status())
                .isEqualTo(Status.UNKNOWN);
    }
}
