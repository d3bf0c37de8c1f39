package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.reader.AckPositions.Position;
import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
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
    void whatWasEmittedBeforeACheckpointIsRecognisedAfterARestore() throws Exception {
        QueueState before = new QueueState(QueueSplit.fresh("q"), true, 10, 100);
        before.isNew(MessageKey.of("a"), 1);
        before.countRead();
        before.done(1, 1);
        QueueSplitSerializer serializer = new QueueSplitSerializer();
        byte[] bytes = serializer.serialize(before.snapshot());
        before.isNew(MessageKey.of("b"), 1);
        QueueState after = new QueueState(serializer.deserialize(serializer.getVersion(), bytes), true, 10, 100);
        assertThat(after.read()).isEqualTo(1);
        assertThat(after.isNew(MessageKey.of("a"), 1)).isFalse();
        assertThat(after.isNew(MessageKey.of("b"), 1)).isTrue();
    }
}
