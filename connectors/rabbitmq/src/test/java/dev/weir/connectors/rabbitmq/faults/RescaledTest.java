package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queues move to other readers with a new parallelism. What the last savepoint holds and was not acknowledged is delivered to
 * those: here because the job ends between the savepoint and the acknowledgement.
 */
class RescaledTest {

    private static final int QUEUES = 4;
    private static final int MESSAGES = 250;

    private final List<String> names = new ArrayList<>();

    @TempDir
    Path savepoints;

    @Test
    void whatIsDeliveredAgainToAnotherReaderIsRecognisedAndAcknowledgedWithoutBeingProcessedTwice() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            for (int n = 0; n < QUEUES; n++) {
                names.add(queues.create("rescaled" + n));
            }
            Tally seen = new Tally(names.get(0));
            String first = readOnAndSave(broker, queues, seen, 1, null);
            String second = readOnAndSave(broker, queues, seen, 4, first);
            JobClient job = read(broker, seen, 2, second, false);
            write(queues, seen.distinct());
            await().until(() -> seen.distinct() == 3 * QUEUES * MESSAGES);
            await().until(() -> waiting(queues) == 0);
            job.cancel().get();
            assertThat(seen.repetitions()).isZero();
        }
    }

    private String readOnAndSave(EmbeddedBroker broker, TextQueues queues, Tally seen, int parallelism, String from)
            throws Exception {
        JobClient job = read(broker, seen, parallelism, from, true);
        int before = seen.distinct();
        write(queues, before);
        await().until(() -> seen.distinct() == before + QUEUES * MESSAGES);
        String savepoint = Jobs.savepoint(
                () -> job.triggerSavepoint(savepoints.toUri().toString(), SavepointFormatType.CANONICAL));
        job.cancel().get();
        await().until(() -> waiting(queues) == seen.distinct());
        return savepoint;
    }

    private void write(TextQueues queues, int from) throws Exception {
        for (String queue : names) {
            queues.write(
                    queue,
                    IntStream.range(from, from + MESSAGES)
                            .mapToObj(n -> queue + " " + n)
                            .toList());
        }
    }

    private long waiting(TextQueues queues) throws Exception {
        long sum = 0;
        for (String queue : names) {
            sum += queues.ready(queue);
        }
        return sum;
    }

    /** Stays where it is told that a checkpoint is complete, before the source in the same chain is. */
    private record Deaf() implements MapFunction<String, String>, CheckpointListener {
        @Override
        public String map(String text) {
            return text;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    private JobClient read(EmbeddedBroker broker, Tally seen, int parallelism, String from, boolean deaf)
            throws Exception {
        var flink = Jobs.flink(0);
        if (deaf) {
            flink.getCheckpointConfig().disableCheckpointing();
        }
        flink.setParallelism(parallelism);
        if (from != null) {
            Configuration restored = new Configuration();
            restored.setString("execution.state-recovery.path", from);
            flink.configure(restored);
        }
        flink.fromSource(
                        Jobs.source(broker, "", DeliveryGuarantee.EXACTLY_ONCE)
                                .setQueues(names.toArray(String[]::new))
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .uid("source")
                .map(seen)
                .returns(Types.STRING)
                .map(deaf ? new Deaf() : text -> text)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return flink.executeAsync();
    }
}
