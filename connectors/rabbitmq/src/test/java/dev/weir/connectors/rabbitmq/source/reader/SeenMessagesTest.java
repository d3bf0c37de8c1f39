package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.SeenIds;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeenMessagesTest {

    private static final int PREFETCH = 10;

    private static SeenMessages fresh(int remembered) {
        return restored(remembered, SeenIds.NONE);
    }

    private static SeenMessages restored(int remembered, SeenIds from) {
        return new SeenMessages(PREFETCH, remembered, from);
    }

    private static List<MessageKey> keys(String... ids) {
        return Stream.of(ids).map(MessageKey::of).toList();
    }

    private static List<MessageKey> numbered(String what, int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> MessageKey.of(what + n)).toList();
    }

    private static void addAll(SeenMessages seen, List<MessageKey> keys, long channel) {
        keys.forEach(key -> assertThat(seen.add(key, channel)).isTrue());
    }

    /** Each in a checkpoint of its own. */
    private static void acknowledgeMany(SeenMessages seen, int messages, long channel) {
        for (int n = 0; n < messages; n++) {
            seen.add(MessageKey.of("another" + n), channel);
            seen.bind(n);
            seen.complete(n, channel);
        }
    }

    @Test
    void messagesAreRecognisedUntilTheyLeaveTheMemoryOfAcknowledgedOnes() {
        SeenMessages seen = fresh(2);
        addAll(seen, numbered("m", 0, 4), 1);
        seen.bind(1);
        assertThat(seen.contains(MessageKey.of("m0"))).isTrue();
        seen.complete(1, 1);
        assertThat(seen.snapshot()).isEqualTo(new SeenIds(keys("m2", "m3"), List.of(), List.of()));
        assertThat(seen.add(MessageKey.of("m3"), 1)).isFalse();
        assertThat(seen.add(MessageKey.of("m1"), 1)).isTrue();
    }

    @Test
    void messagesWhoseAcknowledgementWasLostAreRecognisedHoweverManyComeBeforeThem() {
        SeenMessages seen = fresh(0);
        seen.add(MessageKey.of("low"), 1);
        // Its channel is lost; messages of a higher priority come first, through the next one.
        acknowledgeMany(seen, 1_000, 2);
        assertThat(seen.add(MessageKey.of("low"), 2)).isFalse();
        seen.bind(1_000);
        seen.complete(1_000, 2);

        assertThat(seen.snapshot()).isEqualTo(SeenIds.NONE);
    }

    /** A machine vanishes, and the broker gives its window back when it misses the heartbeats: after many others. */
    @Test
    void messagesThatWereNotAcknowledgedBeforeARestoreAreRecognisedHoweverManyComeBeforeThem() {
        SeenMessages before = fresh(100);
        addAll(before, numbered("bound", 0, PREFETCH / 2), 1);
        before.bind(1);
        addAll(before, numbered("emitted", 0, PREFETCH / 2), 1);
        SeenMessages after = restored(100, before.snapshot());
        acknowledgeMany(after, 1_000, 2);
        SeenMessages again = restored(100, after.snapshot());
        acknowledgeMany(again, 1_000, 3);

        assertThat(numbered("bound", 0, PREFETCH / 2)).noneMatch(key -> again.add(key, 3));
        assertThat(numbered("emitted", 0, PREFETCH / 2)).noneMatch(key -> again.add(key, 3));
        again.bind(1_000);
        again.complete(1_000, 3);
        assertThat(again.snapshot().owed()).isEmpty();
        assertThat(again.snapshot().acknowledged()).hasSize(100);
    }

    @Test
    void theWindowOfTheJobBeforeIsRecognisedThoughThePrefetchAndTheMemoryWereLoweredSince() {
        SeenMessages before = new SeenMessages(50 * PREFETCH, 1_000, SeenIds.NONE);
        List<MessageKey> window = numbered("m", 0, 50 * PREFETCH);
        addAll(before, window, 1);
        SeenMessages after = restored(0, before.snapshot());
        acknowledgeMany(after, 1_000, 2);

        assertThat(window).allMatch(after::contains);
    }

    @Test
    void anAcknowledgementThatCouldNotBeSentKeepsItsMessagesUntilOneIs() {
        SeenMessages seen = fresh(0);
        seen.add(MessageKey.of("a"), 1);
        seen.bind(1);
        seen.complete(1, SeenMessages.NO_CHANNEL);
        assertThat(seen.snapshot()).isEqualTo(new SeenIds(List.of(), keys("a"), List.of(), 0, 1));

        assertThat(seen.add(MessageKey.of("a"), 2)).isFalse();
        seen.bind(2);
        seen.complete(2, 2);
        assertThat(seen.add(MessageKey.of("a"), 2)).isTrue();
    }

    @Test
    void aRepetitionWithinOneCheckpointIsAcknowledgedWithIt() {
        SeenMessages seen = fresh(0);
        seen.add(MessageKey.of("a"), 1);
        assertThat(seen.add(MessageKey.of("a"), 2)).isFalse();
        seen.bind(1);
        seen.complete(1, 2);

        assertThat(seen.snapshot()).isEqualTo(SeenIds.NONE);
    }

    /** It comes again if its channel is lost, by when it must not have been forgotten with its first delivery. */
    @Test
    void aRepetitionOfAnAcknowledgedMessageIsRememberedUntilItIsAcknowledgedItself() {
        SeenMessages seen = fresh(2);
        seen.add(MessageKey.of("k"), 1);
        seen.bind(1);
        seen.complete(1, 1);
        addAll(seen, keys("a", "b"), 1);
        seen.bind(2);
        assertThat(seen.add(MessageKey.of("k"), 1)).isFalse();
        seen.complete(2, 1);
        assertThat(seen.snapshot()).isEqualTo(new SeenIds(keys("a", "b"), List.of(), keys("k")));

        // Its channel is lost, and its repetition comes after many others.
        seen.bind(3);
        seen.complete(3, SeenMessages.NO_CHANNEL);
        acknowledgeMany(seen, 100, 2);
        assertThat(seen.add(MessageKey.of("k"), 2)).isFalse();
    }

    @Test
    void aMessageThatIsAcknowledgedASecondTimeIsRememberedAsANewOne() {
        SeenMessages seen = fresh(2);
        addAll(seen, keys("a", "b"), 1);
        seen.bind(1);
        seen.complete(1, 1);
        seen.add(MessageKey.of("a"), 1);
        seen.add(MessageKey.of("c"), 1);
        seen.bind(2);
        seen.complete(2, 1);

        assertThat(seen.snapshot().acknowledged()).isEqualTo(keys("a", "c"));
    }

    @Test
    void messagesThatNeverComeAgainAreForgottenWhenTwoWindowsWereLostAfterThem() {
        SeenMessages seen = fresh(0);
        for (int window = 1; window <= 3; window++) {
            addAll(seen, numbered("m", window * PREFETCH, (window + 1) * PREFETCH), window);
            seen.bind(window);
            seen.complete(window, SeenMessages.NO_CHANNEL);
        }

        assertThat(seen.snapshot().owed()).isEqualTo(numbered("m", 2 * PREFETCH, 4 * PREFETCH));
    }

    /** Without checkpoints a source that ends reads on beyond its window. */
    @Test
    void aWindowThatWasWidenedIsRememberedWhenItIsLost() {
        SeenMessages seen = fresh(0);
        addAll(seen, numbered("m", 0, 100 * PREFETCH), 1);
        seen.bind(1);
        seen.complete(1, SeenMessages.NO_CHANNEL);

        assertThat(numbered("m", 0, 100 * PREFETCH)).allMatch(seen::contains);
    }

    private static final List<MessageKey> WIDENED = numbered("m", 0, 100 * PREFETCH);

    @Test
    void aWindowThatWasWidenedAndLostIsRememberedAlsoAfterRestoresAndWithTheNextOneThatIsLost() {
        SeenMessages before = fresh(0);
        addAll(before, WIDENED, 1);
        before.bind(1);
        before.complete(1, SeenMessages.NO_CHANNEL);
        addAll(before, numbered("next", 0, PREFETCH), 2);
        SeenMessages once = restored(0, before.snapshot());
        SeenMessages twice = restored(0, once.snapshot());
        acknowledgeMany(twice, 1_000, 1);

        assertThat(WIDENED).allMatch(twice::contains);
        assertThat(numbered("next", 0, PREFETCH)).allMatch(twice::contains);
    }

    /** The acknowledgement was written, and lost with its connection: all of it comes again. */
    @Test
    void aWindowThatWasWidenedIsRememberedWhenItsAcknowledgementIsLostWithThoseThatFollow() {
        SeenMessages before = fresh(PREFETCH);
        addAll(before, WIDENED, 1);
        before.bind(1);
        before.complete(1, 1);
        List<MessageKey> beside = numbered("beside", 0, 5 * PREFETCH);
        for (int n = 0; n < beside.size(); n++) {
            before.add(beside.get(n), 1);
            before.bind(n + 2);
            before.complete(n + 2, 1);
        }
        SeenMessages after = restored(PREFETCH, before.snapshot());

        assertThat(WIDENED).allMatch(before::contains).noneMatch(key -> after.add(key, 1));
        assertThat(beside).allMatch(before::contains).noneMatch(key -> after.add(key, 1));
    }

    @Test
    void theMemoryOfAcknowledgedMessagesCanBeLoweredWithARestore() {
        SeenMessages before = fresh(1_000);
        acknowledgeMany(before, 1_000, 1);

        assertThat(restored(PREFETCH, before.snapshot()).snapshot().acknowledged())
                .hasSize(PREFETCH);
    }

    /** As in a state of an earlier version. */
    @Test
    void whatIsOwedIsRememberedThoughNothingTellsHowManyWereLostAtOnce() {
        SeenMessages seen = restored(0, new SeenIds(List.of(), WIDENED, List.of()));

        assertThat(WIDENED).allMatch(seen::contains);
    }

    /** Only what is owed now counts: else one wide window would cost memory for ever. */
    @Test
    void whatWasLostOnceAndCameAgainMakesTheMemoryNoLargerForWhatIsLostLater() {
        SeenMessages seen = fresh(0);
        addAll(seen, WIDENED, 1);
        seen.bind(1);
        seen.complete(1, SeenMessages.NO_CHANNEL);
        assertThat(WIDENED).noneMatch(key -> seen.add(key, 2));
        seen.bind(2);
        seen.complete(2, 2);
        for (int window = 3; window < 10; window++) {
            addAll(seen, numbered("later", window * PREFETCH, (window + 1) * PREFETCH), window);
            seen.bind(window);
            seen.complete(window, SeenMessages.NO_CHANNEL);
        }

        assertThat(seen.snapshot().owed()).hasSize(2 * PREFETCH);
    }
}
