package dev.weir.connectors.rabbitmq.suite;

import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSink;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.DeliveryDeserializer;
import dev.weir.connectors.rabbitmq.source.RabbitMqSource;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.testframe.external.ExternalSystemDataReader;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.flink.connector.testframe.external.sink.DataStreamSinkV2ExternalContext;
import org.apache.flink.connector.testframe.external.sink.TestingSinkSettings;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.external.source.TestingSourceSettings;
import org.apache.flink.streaming.api.CheckpointingMode;

/** Tells Flink's connector suites how to make queues, write to them and read from them. */
final class QueueContext implements DataStreamSourceExternalContext<String>, DataStreamSinkV2ExternalContext<String> {

    private static final int RECORDS = 100;
    /** The suites create the source before its splits in some tests, and never use more than four. */
    private static final int SPLITS = 4;

    private final TestBroker broker;
    private final Publishing publishing;
    private final TextQueues queues;
    private final List<String> splits = new ArrayList<>();
    private final List<String> taken = new ArrayList<>();
    private final String target;
    private int writers;

    QueueContext(TestBroker broker, Publishing publishing) {
        this.broker = broker;
        this.publishing = publishing;
        try {
            queues = new TextQueues(broker);
            target = queues.create("target");
            for (int i = 0; i < SPLITS; i++) {
                splits.add(queues.create("split-" + i));
            }
        } catch (Exception e) {
            throw new IllegalStateException("the broker cannot be prepared", e);
        }
    }

    @Override
    public Source<String, ?, ?> createSource(TestingSourceSettings settings) {
        boolean bounded = settings.getBoundedness() == Boundedness.BOUNDED;
        boolean exactly = settings.getCheckpointingMode() == CheckpointingMode.EXACTLY_ONCE;
        return RabbitMqSource.<String>builder()
                .setConnection(broker.config())
                .setQueues(splits.toArray(String[]::new))
                .setDeserializer(DeliveryDeserializer.ofBody(new SimpleStringSchema()))
                .setGuarantee(exactly ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
                .setBounded(bounded ? Bound.untilEmpty() : Bound.never())
                .build();
    }

    @Override
    public ExternalSystemSplitDataWriter<String> createSourceSplitDataWriter(TestingSourceSettings settings) {
        String queue = splits.get(writers++);
        return new ExternalSystemSplitDataWriter<>() {
            @Override
            public void writeRecords(List<String> records) {
                try {
                    queues.write(queue, records);
                } catch (Exception e) {
                    throw new IllegalStateException("cannot write to " + queue, e);
                }
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public List<String> generateTestData(TestingSourceSettings settings, int split, long seed) {
        return texts("split " + split, seed);
    }

    @Override
    public Sink<String> createSink(TestingSinkSettings settings) {
        if (settings.getCheckpointingMode() == CheckpointingMode.EXACTLY_ONCE) {
            throw new UnsupportedOperationException("AMQP 0-9-1 has no transactions that outlive a connection");
        }
        String queue = target;
        return RabbitMqSink.<String>builder()
                .setConnection(broker.config())
                .setRouter(text ->
                        AmqpMessage.persistent("", queue, "id of " + text, text.getBytes(StandardCharsets.UTF_8)))
                .setPublishing(publishing)
                .build();
    }

    @Override
    public ExternalSystemDataReader<String> createSinkDataReader(TestingSinkSettings settings) {
        // Each reader expects everything since the beginning, but taking messages out of a queue removes them.
        return new ExternalSystemDataReader<>() {
            private int given;

            @Override
            public List<String> poll(Duration timeout) {
                try {
                    taken.addAll(queues.take(target));
                    List<String> fresh = List.copyOf(taken.subList(given, taken.size()));
                    given = taken.size();
                    return fresh;
                } catch (Exception e) {
                    throw new IllegalStateException("cannot read " + target, e);
                }
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public List<String> generateTestData(TestingSinkSettings settings, long seed) {
        return texts("sink", seed);
    }

    private static List<String> texts(String of, long seed) {
        Random random = new Random(seed);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            texts.add(of + ", " + i + ": " + random.nextLong());
        }
        return texts;
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }

    @Override
    public List<URL> getConnectorJarPaths() {
        return List.of();
    }

    @Override
    public void close() throws Exception {
        queues.close();
    }
}
