package dev.weir.connectors.rabbitmq.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.FrameProxy;
import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.source.RabbitMqSourceBuilder;
import dev.weir.connectors.rabbitmq.suite.HeldCheckpoint;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.OnSharedRabbit;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The connection breaks when a queue has been read to its end, and before that is acknowledged: the job must not succeed with it. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LastAcknowledgementTest extends OnSharedRabbit {

    private static final int MESSAGES = 100;
    private static final int BASIC = 60;
    private static final int ACK = 80;

    private final AtomicBoolean dropAcknowledgements = new AtomicBoolean();
    private FrameProxy proxy;
    private SeenLogs logs;

    @BeforeEach
    void putAProxyBetween() throws Exception {
        proxy = new FrameProxy(broker, method -> {
            if (!method.fromBroker() && method.is(BASIC, ACK) && dropAcknowledgements.compareAndSet(true, false)) {
                // On its way for ever: the client has written it, and the connection breaks.
                throw new UncheckedIOException(new IOException("lost, as this test wants it"));
            }
        });
        logs = SeenLogs.ofEverything();
    }

    @AfterEach
    void closeTheProxy() throws Exception {
        if (proxy != null) {
            logs.close();
            proxy.close();
        }
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    private JobClient read(
            String queue, DeliveryGuarantee guarantee, Bound bound, int restarts, HeldCheckpoint held, Tally seen)
            throws Exception {
        return read(Jobs.source(proxy, queue, guarantee).setBounded(bound), restarts, held, seen);
    }

    private static JobClient read(RabbitMqSourceBuilder<String> source, int restarts, HeldCheckpoint held, Tally seen)
            throws Exception {
        var flink = Jobs.flink(restarts);
        flink.fromSource(source.build(), WatermarkStrategy.noWatermarks(), "source")
                .map(seen)
                .returns(Types.STRING)
                .rebalance()
                .map(held)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return flink.executeAsync();
    }

    private void awaitReadToTheEnd() {
        await().until(() -> !logs.containing("have been read to their end").isEmpty());
    }

    /** The checkpoint under way is without these messages: the next one would be with them, and must not come about. */
    private JobClient breakBeforeTheCheckpoint(String queue, DeliveryGuarantee guarantee, int restarts, Tally seen)
            throws Exception {
        HeldCheckpoint held = new HeldCheckpoint(queue, 0);
        JobClient job = read(queue, guarantee, Bound.afterCount(MESSAGES), restarts, held, seen);
        held.awaitHeld();
        Jobs.fill(broker, queue, MESSAGES);
        awaitReadToTheEnd();
        proxy.breakConnections();
        await().until(() -> queues.ready(queue) == MESSAGES);
        held.letGo();
        return job;
    }

    @Test
    void brokenBeforeTheLastCheckpointTheTaskFailsAndSaysWhy() throws Exception {
        String queue = queues.create("last-failing");
        JobClient job = breakBeforeTheCheckpoint(queue, DeliveryGuarantee.AT_LEAST_ONCE, 0, new Tally(queue));
        assertThatThrownBy(() -> job.getJobExecutionResult().get(60, TimeUnit.SECONDS))
                .hasStackTraceContaining("Queue " + queue)
                .hasStackTraceContaining("was read to its end")
                .hasStackTraceContaining("come again");
        assertThat(queues.ready(queue)).isEqualTo(MESSAGES);
    }

    @Test
    void brokenBeforeTheLastCheckpointTheRestartTakesThemAgain() throws Exception {
        String queue = queues.create("last-again");
        Tally seen = new Tally(queue);
        JobClient job = breakBeforeTheCheckpoint(queue, DeliveryGuarantee.AT_LEAST_ONCE, 5, seen);
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
        assertThat(queues.take(queue)).isEmpty();
    }

    private void breakDuringTheCheckpoint(String queue, DeliveryGuarantee guarantee, Bound bound, Tally seen)
            throws Exception {
        Jobs.fill(broker, queue, MESSAGES);
        HeldCheckpoint held = new HeldCheckpoint(queue, MESSAGES);
        JobClient job = read(queue, guarantee, bound, 5, held, seen);
        held.awaitHeld();
        awaitReadToTheEnd();
        proxy.breakConnections();
        // A checkpoint before may have acknowledged the first of them.
        await().until(() -> queues.ready(queue) > 0);
        held.letGo();
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
    }

    @Test
    void brokenDuringTheLastCheckpointTheyAreRecognisedAndAcknowledgedByTheRestart() throws Exception {
        String queue = queues.create("last-recognised");
        Tally seen = new Tally(queue);
        breakDuringTheCheckpoint(queue, DeliveryGuarantee.EXACTLY_ONCE, Bound.untilEmpty(), seen);
        assertThat(seen.repetitions()).isZero();
        assertThat(queues.take(queue)).isEmpty();
    }

    @Test
    void brokenDuringTheLastCheckpointTheyAreProcessedAgainByTheRestartWithAtLeastOnce() throws Exception {
        String queue = queues.create("last-repeated");
        breakDuringTheCheckpoint(queue, DeliveryGuarantee.AT_LEAST_ONCE, Bound.untilEmpty(), new Tally(queue));
        assertThat(queues.take(queue)).isEmpty();
    }

    /** Nothing tells them from what was put there later: it says so, and leaves them. */
    @Test
    void brokenDuringTheLastCheckpointTheyStayAfterACountWithAtLeastOnceAndAWarningSaysSo() throws Exception {
        String queue = queues.create("last-staying");
        Tally seen = new Tally(queue);
        breakDuringTheCheckpoint(queue, DeliveryGuarantee.AT_LEAST_ONCE, Bound.afterCount(MESSAGES), seen);
        assertThat(seen.repetitions()).isZero();
        assertThat(logs.containing("only EXACTLY_ONCE would recognise them")).isNotEmpty();
        await().until(() -> queues.ready(queue) > 0);
    }

    @Test
    void whatComesAfterTheCountStaysInTheQueueThoughTheCountedComeAgain() throws Exception {
        String queue = queues.create("last-counted");
        Tally seen = new Tally(queue);
        Jobs.fill(broker, queue, MESSAGES);
        for (int n = 0; n < 30; n++) {
            queues.publish(queue, "later" + n, "later");
        }
        queues.awaitConfirms();
        HeldCheckpoint held = new HeldCheckpoint(queue, MESSAGES);
        JobClient job = read(queue, DeliveryGuarantee.EXACTLY_ONCE, Bound.afterCount(MESSAGES), 5, held, seen);
        held.awaitHeld();
        awaitReadToTheEnd();
        proxy.breakConnections();
        await().until(() -> queues.ready(queue) > 30);
        held.letGo();
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
        assertThat(seen.repetitions()).isZero();
        await().until(() -> queues.ready(queue) == 30);
        assertThat(queues.take(queue)).hasSize(30).containsOnly("later");
    }

    /** They come again and are counted again; each may be counted once. */
    @Test
    void aCountIsOfDifferentMessagesThoughTheConnectionBreaksOnTheWay() throws Exception {
        String queue = queues.create("last-distinct");
        Tally seen = new Tally(queue);
        HeldCheckpoint held = new HeldCheckpoint(queue, 0);
        var source = Jobs.source(proxy, queue, DeliveryGuarantee.AT_LEAST_ONCE)
                .setPrefetch(MESSAGES / 2)
                .setBounded(Bound.afterCount(MESSAGES));
        JobClient job = read(source, 0, held, seen);
        held.awaitHeld();
        Jobs.fill(broker, queue, MESSAGES);
        await().until(() -> seen.distinct() == MESSAGES / 2);
        proxy.breakConnections();
        await().until(() -> seen.repetitions() == MESSAGES / 2);
        held.letGo();
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
        assertThat(queues.take(queue)).isEmpty();
    }

    /** AMQP has no answer to an acknowledgement: one that was written to a dead connection looks like any other. */
    @Test
    void anAcknowledgementThatNeverArrivesIsNoticed() throws Exception {
        String queue = queues.create("last-lost");
        Tally seen = new Tally(queue);
        Jobs.fill(broker, queue, MESSAGES);
        HeldCheckpoint held = new HeldCheckpoint(queue, MESSAGES);
        JobClient job = read(queue, DeliveryGuarantee.EXACTLY_ONCE, Bound.untilEmpty(), 5, held, seen);
        held.awaitHeld();
        awaitReadToTheEnd();
        dropAcknowledgements.set(true);
        held.letGo();
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        assertThat(dropAcknowledgements)
                .as("whether an acknowledgement is still to be dropped")
                .isFalse();
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
        assertThat(seen.repetitions()).isZero();
        await().until(() -> queues.ready(queue) == 0);
    }
}
