package dev.weir.connectors.rabbitmq.source.reader;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.split.MessageKey;
import dev.weir.connectors.rabbitmq.source.split.QueueSplit;
import dev.weir.connectors.rabbitmq.source.split.SeenIds;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.testutils.source.reader.TestingReaderContext;
import org.apache.flink.connector.testutils.source.reader.TestingReaderOutput;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.junit.jupiter.api.Test;

class FinishedQueuesTest {

    /** While another queue of its reader is still read, perhaps for ever so long. */
    @Test
    void aQueueThatWasReadUpToItsCountBeforeARestartGivesBackAtOnceWhatCameLater() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String counted = queues.create("counted");
            String read = queues.create("read");
            queues.write(counted, List.of("later", "and later"));
            var source = Jobs.source(broker, counted, DeliveryGuarantee.EXACTLY_ONCE)
                    .setQueues(counted, read)
                    .setBounded(Bound.afterCount(1))
                    .build();
            SeenIds first = new SeenIds(List.of(MessageKey.of("first")), List.of(), List.of());
            TestingReaderOutput<String> out = new TestingReaderOutput<>();
            try (var reader = source.createReader(new TestingReaderContext())) {
                reader.start();
                reader.addSplits(List.of(new QueueSplit(counted, 1, first), QueueSplit.fresh(read)));
                await().atMost(Duration.ofSeconds(30)).until(() -> {
                    reader.pollNext(out);
                    return reader.snapshotState(1).size() == 1;
                });
                List<String> back = new ArrayList<>();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> back.addAll(queues.take(counted)) && back.size() == 2);
            }
            assertThat(out.getEmittedRecords()).isEmpty();
        }
    }

    /** Flink counts what it hands over, and what comes after the end was delivered with it. */
    @Test
    void whatIsDeliveredBeyondTheCountOfAQueueIsNotCountedAsRead() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String counted = queues.create("beyond");
            queues.write(counted, IntStream.range(0, 50).mapToObj(n -> "m" + n).toList());
            assertThat(recordsIn(broker, QueueSplit.fresh(counted), 5)).isEqualTo(5);
            SeenIds others = new SeenIds(List.of(), List.of(MessageKey.of("another")), List.of());
            assertThat(recordsIn(broker, new QueueSplit(counted, 5, others), 5)).isZero();
        }
    }

    /** Reads a queue to its end; how many records Flink says that were. */
    private static long recordsIn(EmbeddedBroker broker, QueueSplit split, int count) throws Exception {
        var source = Jobs.source(broker, split.queue(), DeliveryGuarantee.EXACTLY_ONCE)
                .setBounded(Bound.afterCount(count))
                .build();
        var metrics =
                InternalSourceReaderMetricGroup.wrap(UnregisteredMetricGroups.createUnregisteredOperatorMetricGroup());
        TestingReaderOutput<String> out = new TestingReaderOutput<>();
        try (var reader = source.createReader(new TestingReaderContext(new Configuration(), metrics))) {
            reader.start();
            reader.addSplits(List.of(split));
            reader.notifyNoMoreSplits();
            await().atMost(Duration.ofSeconds(30)).until(() -> reader.pollNext(out) == InputStatus.END_OF_INPUT);
        }
        return metrics.getIOMetricGroup().getNumRecordsInCounter().getCount();
    }
}
