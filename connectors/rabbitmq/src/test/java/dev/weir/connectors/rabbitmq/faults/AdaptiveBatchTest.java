package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flink's batch mode chooses the parallelism of each stage by what comes to it, so that writers and committers may differ in number. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AdaptiveBatchTest {

    private static final int MESSAGES = 2_000;

    private static StreamExecutionEnvironment adaptive(String bytesPerTask) {
        Configuration config = new Configuration();
        config.setString("restart-strategy.type", "none");
        config.setString("parallelism.default", "4");
        // So little that what comes to the committers makes more tasks than what comes to the writers.
        config.setString("execution.batch.adaptive.auto-parallelism.avg-data-volume-per-task", bytesPerTask);
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment(config);
        flink.setRuntimeMode(RuntimeExecutionMode.BATCH);
        return flink;
    }

    @Test
    void whatIsPublishedOnCommitAfterAKeyByArrivesOnce() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("adaptive");
            for (String volume : new String[] {"16kb", "64kb", "128kb"}) {
                StreamExecutionEnvironment flink = adaptive(volume);
                flink.fromSequence(1, MESSAGES)
                        .map(n -> "m" + n)
                        .returns(Types.STRING)
                        .keyBy(text -> text.hashCode() % 16)
                        .sinkTo(Jobs.sink(broker, queue, Publishing.ON_COMMIT).build());
                flink.execute();
                Map<String, Integer> arrived = Jobs.drain(broker, queue);
                assertThat(arrived).hasSize(MESSAGES);
                assertThat(Jobs.repetitions(arrived)).isZero();
            }
        }
    }
}
