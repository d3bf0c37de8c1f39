package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.SeenLogs;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.RabbitMqSinkBuilder;
import dev.weir.connectors.rabbitmq.suite.Gate;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A RabbitMQ of our own that raises its memory alarm: it reads nothing more from whoever publishes. */
class MemoryAlarmTest extends OwnRabbit {

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void anAlarmInTheMiddleDelaysMessagesAndLosesNone(Publishing publishing) throws Exception {
        String queue = TestBroker.unique("alarm");
        Jobs.fill(rabbit, queue, 0);
        Tally sent = new Tally(queue);
        Gate gate = new Gate(queue, "m" + MESSAGES / 2);
        var flink = Jobs.flink(0);
        Jobs.numbered(flink, MESSAGES, PER_SECOND)
                .map(sent)
                .returns(Types.STRING)
                .map(gate)
                .returns(Types.STRING)
                .sinkTo(Jobs.sink(rabbit, queue, publishing).build());
        JobClient job = flink.executeAsync();
        await().until(() -> sent.distinct() > MESSAGES / 2);
        rabbit.setMemoryAlarm(true);
        gate.open();
        // What the broker had read already still comes in; then nothing does.
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofSeconds(1)).until(() -> {
            long now = messagesIn(queue);
            return before.getAndSet(now) == now;
        });
        assertThat(before.get()).isLessThan(MESSAGES);
        assertThat(job.getJobStatus().get().isTerminalState()).isFalse();
        rabbit.setMemoryAlarm(false);
        job.getJobExecutionResult().get();
        Map<String, Integer> arrived = Jobs.drain(rabbit, queue);
        System.out.println("sink, " + publishing + ", memory alarm with " + before + " of " + MESSAGES
                + " in the queue: lost " + (MESSAGES - arrived.size()) + ", duplicates " + Jobs.repetitions(arrived));
        assertThat(arrived).hasSize(MESSAGES);
        assertThat(Jobs.repetitions(arrived)).isZero();
    }

    /**
     * A broker in need of memory has to get its acknowledgements: a sink that it blocks must not hold them back. Publishing at
     * once, checkpoints go on, without a wait for confirms that cannot come; on commit, the one that is complete is acknowledged and the next
     * waits for the broker.
     */
    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSinkThatIsBlockedDoesNotHoldBackTheAcknowledgementsOfTheSource(Publishing publishing) throws Exception {
        int messages = 2_000;
        String from = TestBroker.unique("alarm-from");
        String to = TestBroker.unique("alarm-to");
        Jobs.fill(rabbit, from, messages);
        Jobs.fill(rabbit, to, 0);
        rabbit.setMemoryAlarm(true);
        JobClient job = pass(from, to, publishing, 0, sink -> sink.setConfirmTimeout(Duration.ofHours(1)));
        long mayBeHeld = publishing == Publishing.AT_ONCE ? 0 : messages - 1;
        await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(from) <= mayBeHeld);
        assertThat(messagesIn(to)).isZero();
        assertThat(job.getJobStatus().get().isTerminalState()).isFalse();
        rabbit.setMemoryAlarm(false);
        await().until(() -> messagesIn(to) >= messages);
        await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(from) == 0);
        job.cancel().get();
        assertThat(Jobs.drain(rabbit, to)).hasSize(messages);
    }

    /** With a window smaller than what is to be published, the sink holds its input back, and checkpoints with it. */
    @Test
    void aWindowThatIsFullFailsTheTaskAfterItsLimitAndTheRestartedJobPublishesAllOfIt() throws Exception {
        int messages = 2_000;
        String from = TestBroker.unique("full-from");
        String to = TestBroker.unique("full-to");
        Jobs.fill(rabbit, from, messages);
        Jobs.fill(rabbit, to, 0);
        rabbit.setMemoryAlarm(true);
        JobClient job;
        try (SeenLogs logs = SeenLogs.ofEverything()) {
            job = pass(
                    from,
                    to,
                    Publishing.AT_ONCE,
                    1_000,
                    sink -> sink.setMaxInFlight(100)
                            .setReconnect(
                                    new BackOff(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(5))));
            // Each task that starts says so once.
            await().until(() -> logs.containing("consuming queue " + from).size() > 1);
            assertThat(logs.containing("the broker blocks publishing")).isNotEmpty();
        }
        assertThat(rabbit.held(from)).as("unacknowledged or ready").isEqualTo(messages);
        assertThat(messagesIn(to)).isZero();
        rabbit.setMemoryAlarm(false);
        await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(from) == 0);
        job.cancel().get();
        Map<String, Integer> arrived = Jobs.drain(rabbit, to);
        System.out.println("sink, memory alarm with a full window: lost " + (messages - arrived.size())
                + ", duplicates " + Jobs.repetitions(arrived));
        assertThat(arrived).hasSize(messages);
    }

    private static JobClient pass(
            String from, String to, Publishing publishing, int restarts, Consumer<RabbitMqSinkBuilder<String>> more)
            throws Exception {
        var flink = Jobs.flink(restarts);
        RabbitMqSinkBuilder<String> sink = Jobs.sink(rabbit, to, publishing).setConfirmTimeout(Duration.ofSeconds(1));
        more.accept(sink);
        flink.fromSource(
                        Jobs.source(rabbit, from, DeliveryGuarantee.AT_LEAST_ONCE)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .sinkTo(sink.build());
        return flink.executeAsync();
    }
}
