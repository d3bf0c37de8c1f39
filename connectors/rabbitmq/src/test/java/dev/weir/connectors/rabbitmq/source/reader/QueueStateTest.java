package dev.weir.connectors.rabbitmq.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.source.reader.AckPositions.Position;
import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.QueueSplitSerializer;
import dev.weir.connectors.rabbitmq.source.split.SeenIds;
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
    void checkpointsThatNeverCompleteLeaveNothingBehindWhileNothingIsEmitted() {
        AckPositions positions = new AckPositions();
        positions.emitted(1, 5);
        for (int checkpoint = 1; checkpoint <= 100; checkpoint++) {
            positions.bind(checkpoint);
        }
        assertThat(positions.boundCheckpoints()).isEqualTo(1);
        assertThat(positions.complete(100)).contains(new Position(1, 5));
    }

    private static void read(QueueState state, long channel, int from, int to) {
        for (int tag = from; tag <= to; tag++) {
            state.deliveredBy(channel);
            state.countRead();
            state.done(channel, tag);
        }
    }

    /** They are counted when they come again: a source that ends after a count would end too early. */
    @Test
    void whatAChannelThatWasLostLeavesUnacknowledgedIsNotCountedTwice() {
        QueueState state = new QueueState(new QueueSplit("q", 1_000, SeenIds.NONE), false, 10, 100);
        read(state, 1, 1, 5);
        state.bind(1);
        read(state, 1, 6, 8);
        state.complete(1, position -> true);
        assertThat(state.read()).isEqualTo(1_008);
        read(state, 2, 1, 3);
        assertThat(state.read()).isEqualTo(1_008);
        state.bind(2);
        state.complete(2, position -> false);
        read(state, 3, 1, 4);
        assertThat(state.read()).isEqualTo(1_009);
    }

    @Test
    void whatIsRecognisedWhenItComesAgainStaysCounted() {
        QueueState state = new QueueState(QueueSplit.fresh("q"), true, 10, 100);
        read(state, 1, 1, 5);
        state.deliveredBy(2);
        assertThat(state.read()).isEqualTo(5);
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
