package dev.weir.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.protocol.queue.Again;
import dev.weir.protocol.queue.Item;
import dev.weir.protocol.queue.LeasedItem;
import dev.weir.protocol.queue.Payload;
import dev.weir.protocol.queue.QueueAnswer.Status;
import dev.weir.protocol.queue.QueueEntry.Action;
import dev.weir.protocol.queue.QueueEntry.Done;
import dev.weir.protocol.queue.QueueEntry.End;
import dev.weir.protocol.queue.QueueEntry.Peek;
import dev.weir.protocol.queue.QueueEntry.Pop;
import dev.weir.protocol.queue.QueueEntry.QueueAction;
import dev.weir.protocol.queue.QueueEntry.Remove;
import dev.weir.protocol.queue.QueueSettings;
import dev.weir.protocol.queue.ShownItem;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys run again. */
class AgainTest {

    private static final int HOUR = 3_600;
    private final Lab lab = new Lab();

    /** On a full hour, so that dates are round. */
    AgainTest() {
        lab.now = Instant.parse("2026-03-02T10:00:00Z").toEpochMilli();
        lab.queue();
    }

    static Again after(int seconds) {
        return new Again(seconds, null, null, null, null, null, null);
    }

    static Again every(int seconds) {
        return new Again(null, seconds, null, null, null, null, null);
    }

    static Again cron(String fields, String zone) {
        return new Again(null, null, fields, zone, null, null, null);
    }

    static Item item(String key, Again again) {
        return new Item(key, null, null, 3, new Payload("\"" + key + "\""), null, null, null, again, null, null);
    }

    static QueueSettings settings(int maxItems, int maxResting) {
        return new QueueSettings(
                maxItems,
                null,
                null,
                0.0,
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
                null,
                null,
                null,
                null,
                null);
    }

    private Instant due(String key) {
        return lab.show(key).notBefore();
    }

    private void run(String key) {
        LeasedItem item = lab.pop();
        assertThat(item.key()).isEqualTo(key);
        lab.finish(item);
    }

    @Test
    void aKeyRunsAgainSoLongAfterItsEnd() {
        lab.push(item("a", after(HOUR)));
        LeasedItem item = lab.pop();
        lab.pass(20);
        lab.finish(item);

        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.RESTING);
        assertThat(lab.show("a").again()).isEqualTo(after(HOUR));
        assertThat(due("a")).isEqualTo("2026-03-02T11:00:20Z");
        lab.pass(HOUR - 1);
        assertThat(lab.pop()).isNull();
        lab.pass(1);
        run("a");
        assertThat(due("a")).isEqualTo("2026-03-02T12:00:20Z");
    }

    @Test
    void everyCountsFromTheFirstDateThatAPushNames() {
        Instant first = Instant.parse("2026-03-02T12:30:00Z");
        lab.push(new Item("a", null, null, 3, null, null, first, null, every(HOUR), null, null));
        lab.pass(2 * HOUR + 31 * 60);
        run("a");

        assertThat(due("a")).isEqualTo("2026-03-02T13:30:00Z");
    }

    @Test
    void aPushThatChangesTheRuleIsTakenAlsoWhileTheAnswerIsFresh() {
        lab.push(item("a", after(HOUR)));
        lab.ask(new Done(lab.next(), lab.pop().token(), End.FINISHED, null, null, null, 2 * HOUR, null, null, null));
        assertThat(lab.push(item("a", null)).status()).isEqualTo(Status.FRESH);
        assertThat(lab.push(item("a", after(HOUR))).status()).isEqualTo(Status.FRESH);

        assertThat(lab.push(item("a", Again.NEVER)).status()).isEqualTo(Status.CREATED);
        run("a");
        lab.pass(2 * HOUR);
        assertThat(lab.pop()).isNull();
    }

    @Test
    void everyCountsFromTheDateAndMakesUpForMissedRunsByOne() {
        lab.push(item("a", every(HOUR)));
        run("a");
        assertThat(due("a")).isEqualTo("2026-03-02T11:00:00Z");

        lab.pass(3 * HOUR + 600);
        run("a");
        assertThat(due("a")).isEqualTo("2026-03-02T14:00:00Z");
        assertThat(lab.pop()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0 3 * * *,           , 2026-03-03T03:00:00Z",
        "0 3 * * *, Europe/Paris, 2026-03-03T02:00:00Z",
        "*/15 * * * *,        , 2026-03-02T10:15:00Z",
        "0 12 * * 1,          , 2026-03-02T12:00:00Z",
        "30 2 29 2 *,         , 2028-02-29T02:30:00Z"
    })
    void cronNamesTheDates(String fields, String zone, String next) {
        lab.push(item("a", cron(fields, zone)));
        run("a");

        assertThat(due("a")).isEqualTo(next);
    }

    @Test
    void aRunBeforeItsDateTakesThePlaceOfNone() {
        lab.push(item("week", every(7 * 86_400)));
        lab.push(item("night", cron("0 3 * * *", null)));
        run("week");
        run("night");
        Instant week = due("week");
        Instant night = due("night");

        for (int i = 0; i < 3; i++) {
            lab.push("week");
            lab.push("night");
            run("week");
            run("night");
        }

        assertThat(due("week")).isEqualTo(week);
        assertThat(due("night")).isEqualTo(night);
    }

    @Test
    void anotherRuleBeginsAtItsPush() {
        lab.push(item("a", every(7 * 86_400)));
        run("a");
        lab.push(item("a", every(60)));
        run("a");

        assertThat(due("a")).isBefore(Instant.ofEpochMilli(lab.now).plusSeconds(61));
    }

    /** The clock goes from 2:00 to 3:00 on 29 March, and from 3:00 to 2:00 on 25 October. */
    @Test
    void cronFollowsTheClockOfItsZone() {
        lab.now = Instant.parse("2026-03-28T12:00:00Z").toEpochMilli();
        lab.push(item("a", cron("0 4 * * *", "Europe/Paris")));
        run("a");

        assertThat(due("a")).isEqualTo("2026-03-29T02:00:00Z");
    }

    @Test
    void thePauseHalvesAfterAnotherResultAndDoublesAfterTheSame() {
        lab.push(item("a", new Again(HOUR, null, null, null, HOUR / 2, 2 * HOUR, null)));
        finish("x", null);
        assertThat(pause()).isEqualTo(HOUR);
        finish("x", null);
        assertThat(pause()).isEqualTo(2 * HOUR);
        finish("x", null);
        assertThat(pause()).isEqualTo(2 * HOUR);
        finish("y", null);
        assertThat(pause()).isEqualTo(HOUR);
        finish("z", "same");
        finish("w", "same");
        assertThat(pause()).isEqualTo(HOUR);
    }

    private long pause() {
        return (due("a").toEpochMilli() - lab.now) / 1_000;
    }

    private void finish(String result, String digest) {
        lab.now = Math.max(lab.now, lab.show("a").notBefore() == null ? 0 : due("a").toEpochMilli());
        lab.pass(1);
        lab.ask(new Done(
                lab.next(),
                lab.pop().token(),
                End.FINISHED,
                new Payload("\"" + result + "\""),
                null,
                null,
                null,
                null,
                digest,
                null));
    }

    @Test
    void aWorkerMayNameTheNextDate() {
        lab.push(item("a", after(HOUR)));
        Instant next = Instant.parse("2026-05-01T00:00:30Z");
        lab.ask(new Done(lab.next(), lab.pop().token(), End.FINISHED, null, null, null, null, null, null, next));

        assertThat(due("a")).isEqualTo(next);
        lab.now = next.toEpochMilli() - 1_000;
        lab.pass(1);
        run("a");
    }

    @Test
    void theJitterOfAKeyPutsItOffByAtMostThat() {
        for (int i = 0; i < 50; i++) {
            lab.push(item("k" + i, new Again(HOUR, null, null, null, null, null, 600)));
        }
        lab.pop(50).forEach(lab::finish);

        assertThat(lab.ask(new Peek(lab.next(), Lab.QUEUE, 50, ShownItem.State.RESTING, null, null))
                        .shown())
                .hasSize(50)
                .allSatisfy(shown -> assertThat(shown.notBefore())
                        .isBetween(Instant.parse("2026-03-02T11:00:00Z"), Instant.parse("2026-03-02T11:10:00Z")))
                .extracting(ShownItem::notBefore)
                .doesNotHaveDuplicates();
    }

    @Test
    void aDeadKeyRunsAgainToo() {
        lab.queue(settings(100, 100));
        lab.push(item("a", after(HOUR)));
        lab.end(lab.pop(), End.FAILED);
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.DEAD);

        lab.pass(HOUR);
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.WAITING);
        run("a");
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.RESTING);
    }

    @Test
    void aPushWithoutARuleKeepsThatOfTheKeyAndOneWithNeverEndsIt() {
        lab.push(item("a", after(HOUR)));
        run("a");
        assertThat(lab.push("a").status()).isEqualTo(Status.CREATED);
        run("a");
        assertThat(due("a")).isEqualTo("2026-03-02T11:00:00Z");

        lab.push(item("a", Again.NEVER));
        run("a");
        assertThat(lab.show("a")).isNull();
    }

    @Test
    void aRemovedKeyDoesNotRunAgainWhateverItsState() {
        for (String state : List.of("resting", "waiting", "leased")) {
            lab.push(item(state, after(60)));
        }
        List<LeasedItem> items = lab.pop(3);
        lab.finish(items.get(0));
        lab.finish(items.get(1));
        lab.push("waiting");

        for (String state : List.of("resting", "waiting", "leased")) {
            assertThat(lab.ask(new Remove(lab.next(), Lab.QUEUE, state)).status())
                    .isEqualTo(Status.OK);
        }
        lab.finish(items.get(2));
        lab.pass(300);
        assertThat(lab.pop()).isNull();
        assertThat(lab.show("leased")).isNull();
        assertThat(lab.ask(new Remove(lab.next(), Lab.QUEUE, "resting")).status())
                .isEqualTo(Status.UNKNOWN);
    }

    @Test
    void aKeyWithAnEndDoesNotRunAfterIt() {
        Instant end = Instant.ofEpochMilli(lab.now + 90 * 60_000);
        lab.push(new Item("a", null, null, 3, null, null, null, end, after(HOUR), null, null));
        run("a");
        lab.pass(HOUR);
        run("a");

        assertThat(lab.show("a")).isNull();
    }

    @Test
    void whatRestsIsStillThereAfterARestartAndIsDueInTime() {
        for (int i = 0; i < 600; i++) {
            lab.push(item("k" + i, every(7 * 24 * HOUR)));
        }
        for (int i = 0; i < 3; i++) {
            lab.pop(200).forEach(lab::finish);
        }
        lab.restart(lab.store);
        assertThat(lab.pop()).isNull();
        lab.now += (7L * 24 * HOUR - 2 * HOUR) * 1_000;
        lab.pass(2 * HOUR - 1);
        assertThat(lab.pop()).isNull();
        lab.pass(4);

        assertThat(lab.pop(256)).hasSize(256);
        assertThat(lab.pop(256)).hasSize(256);
        assertThat(lab.pop(256)).hasSize(88);
    }

    @Test
    void aPurgeLeavesWhatRestsAndADeletedQueueTakesItAlong() {
        lab.push(item("a", after(HOUR)));
        run("a");
        lab.push(item("b", after(HOUR)));
        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.PURGE));
        assertThat(lab.show("a").state()).isEqualTo(ShownItem.State.RESTING);
        assertThat(lab.show("b")).isNull();

        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.DELETE));
        lab.pass(2);
        lab.queue();
        assertThat(lab.show("a")).isNull();
        lab.pass(HOUR);
        assertThat(lab.ask(new Pop(lab.next(), Lab.QUEUE, List.of(), 1, 0)).items())
                .isEmpty();
    }

    @Test
    void aQueueThatIsDeletedWhileItsKeysFallDueLeavesNothingBehind() {
        for (int i = 0; i < 600; i++) {
            lab.push(item("k" + i, after(HOUR)));
        }
        for (int i = 0; i < 3; i++) {
            lab.pop(200).forEach(lab::finish);
        }
        lab.now += HOUR * 1_000L;
        lab.ask(new QueueAction(lab.next(), Lab.QUEUE, Action.DELETE));
        lab.pass(2);

        lab.restart(lab.store);
        lab.queue();
        assertThat(lab.push("k599").status()).isEqualTo(Status.CREATED);
        assertThat(lab.pop(256)).hasSize(1);
    }
}
