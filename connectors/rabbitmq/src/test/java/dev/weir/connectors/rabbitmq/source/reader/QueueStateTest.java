package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.reader.AckPositions.Position;
import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueStateTest {

    @Test
    void aDeliveryIsAcknowledgedWhenTheCheckpointAfterItIsComplete() {
        AckPositions positions = new AckPositions();
        positions.emitted(1, 5);
        positions.bind(10);
        positions.emitted(1, 8);
        assertThat(positions.complete(10)).contains(new Position(1, 5));
        assertThat(positions.complete(10)).isEmpty();
        positions.bind(11);
        positions.bind(12);
        assertThat(positions.complete(12)).contains(new Position(1, 8));
    }

    @Test
    void aCheckpointThatWasNeverCompletedIsCoveredByTheNext() {
        AckPositions positions = new AckPositions();
        positions.emitted(1, 5);
        positions.bind(1);
        positions.emitted(2, 3);
        positions.bind(2);
        assertThat(positions.complete(2)).contains(new Position(2, 3));
        assertThat(positions.complete(1)).isEmpty();
    }

    @Test
    void messagesAreRecognisedUntilTheyLeaveTheMemoryOfAcknowledgedOnes() {
        SeenMessages seen = new SeenMessages(2, List.of());
        for (int n = 0; n < 4; n++) {
            assertThat(seen.add(MessageKey.of("m" + n), 1)).isTrue();
        }
        seen.bind(1);
        assertThat(seen.add(MessageKey.of("m0"), 1)).isFalse();
        seen.complete(1, 1);
        assertThat(seen.add(MessageKey.of("m3"), 1)).isFalse();
        assertThat(seen.add(MessageKey.of("m2"), 1)).isFalse();
        assertThat(seen.add(MessageKey.of("m1"), 1)).isTrue();
    }

    @Test
    void messagesWhoseAcknowledgementWasLostAreRecognisedHoweverManyComeBeforeThem() {
        SeenMessages seen = new SeenMessages(0, List.of());
        seen.add(MessageKey.of("low"), 1);
        // Its channel is lost; messages of a higher priority come first, through the next one.
        for (int n = 0; n < 1_000; n++) {
            seen.add(MessageKey.of("high" + n), 2);
            seen.bind(n);
            seen.complete(n, 2);
        }
        assertThat(seen.add(MessageKey.of("low"), 2)).isFalse();
        seen.bind(1_000);
        seen.complete(1_000, 2);

        assertThat(seen.snapshot()).isEmpty();
    }

    @Test
    void anAcknowledgementThatCouldNotBeSentKeepsItsMessagesUntilOneIs() {
        SeenMessages seen = new SeenMessages(0, List.of());
        seen.add(MessageKey.of("a"), 1);
        seen.bind(1);
        seen.complete(1, SeenMessages.NO_CHANNEL);
        assertThat(seen.snapshot()).containsExactly(MessageKey.of("a"));

        assertThat(seen.add(MessageKey.of("a"), 2)).isFalse();
        seen.bind(2);
        seen.complete(2, 2);
        assertThat(seen.add(MessageKey.of("a"), 2)).isTrue();
    }

    @Test
    void aRepetitionWithinOneCheckpointIsAcknowledgedWithIt() {
        SeenMessages seen = new SeenMessages(0, List.of());
        seen.add(MessageKey.of("a"), 1);
        assertThat(seen.add(MessageKey.of("a"), 2)).isFalse();
        seen.bind(1);
        seen.complete(1, 2);

        assertThat(seen.snapshot()).isEmpty();
    }

    @Test
    void messagesThatNeverComeAgainAreForgottenInTheEnd() {
        SeenMessages seen = new SeenMessages(10, List.of());
        for (int n = 0; n < 70_000; n++) {
            seen.add(MessageKey.of("m" + n), 1);
        }
        seen.bind(1);
        seen.complete(1, SeenMessages.NO_CHANNEL);

        assertThat(seen.snapshot()).hasSize(65_535);
    }

    @Test
    void whatWasEmittedBeforeACheckpointIsRecognisedAfterARestore() throws Exception {
        QueueState before = new QueueState(QueueSplit.fresh("q"), true, 100);
        before.isNew(MessageKey.of("a"), 1);
        before.countRead();
        before.done(1, 1);
        QueueSplitSerializer serializer = new QueueSplitSerializer();
        byte[] bytes = serializer.serialize(before.snapshot());
        before.isNew(MessageKey.of("b"), 1);
        QueueState after = new QueueState(serializer.deserialize(1, bytes), true, 100);
        assertThat(after.read()).isEqualTo(1);
        assertThat(after.isNew(MessageKey.of("a"), 1)).isFalse();
        assertThat(after.isNew(MessageKey.of("b"), 1)).isTrue();
    }
}
