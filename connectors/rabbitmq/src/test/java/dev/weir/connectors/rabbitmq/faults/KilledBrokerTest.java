package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.PrivateRabbit;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A RabbitMQ that is killed with SIGKILL, or raises its memory alarm, in the middle of 60,000 messages. */
class KilledBrokerTest {

    private static final int MESSAGES = 60_000;

    private static PrivateRabbit rabbit;

    @BeforeAll
    static void startRabbit() throws Exception {
        rabbit = PrivateRabbit.orSkip();
    }

    @AfterAll
    static void stopRabbit() throws Exception {
        if (rabbit != null) {
            rabbit.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSinkLosesNothingWhenTheBrokerIsKilled(Publishing publishing) throws Exception {
        String queue = TestBroker.unique("killed-sink");
        Jobs.fill(rabbit, queue, 0);
        Tally sent = new Tally(queue);
        JobClient job = publish(queue, publishing, sent);
        if (publishing == Publishing.AT_ONCE) {
            await().until(() -> sent.distinct() > MESSAGES / 4);
        } else {
            await().until(() -> messagesIn(queue) > 0);
        }
        rabbit.kill();
        rabbit.start();
        job.getJobExecutionResult().get();
        Map<String, Integer> arrived = Jobs.drain(rabbit, queue);
        System.out.println("sink, " + publishing + ", broker killed: lost " + (MESSAGES - arrived.size())
                + ", duplicates " + Jobs.repetitions(arrived));
        assertThat(arrived).hasSize(MESSAGES);
    }

    private static long messagesIn(String queue) throws Exception {
        try (var connection = rabbit.connect();
                var channel = connection.createChannel()) {
            return channel.messageCount(queue);
        }
    }

    private static JobClient publish(String queue, Publishing publishing, Tally sent) throws Exception {
        var flink = Jobs.flink(0);
        flink.fromSequence(0, MESSAGES - 1)
                .map(n -> "m" + n)
                .returns(Types.STRING)
                .map(sent)
                .returns(Types.STRING)
                .sinkTo(Jobs.sink(rabbit, queue, publishing).build());
        return flink.executeAsync();
    }

    @ParameterizedTest
    @EnumSource(
            value = DeliveryGuarantee.class,
            names = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
    void aSourceLosesNothingWhenTheBrokerIsKilled(DeliveryGuarantee guarantee) throws Exception {
        String queue = TestBroker.unique("killed-source");
        Jobs.fill(rabbit, queue, MESSAGES);
        Tally seen = new Tally(queue);
        var flink = Jobs.flink(0);
        flink.fromSource(Jobs.source(rabbit, queue, guarantee).build(), WatermarkStrategy.noWatermarks(), "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        JobClient job = flink.executeAsync();
        await().until(() -> seen.distinct() > MESSAGES / 4);
        rabbit.kill();
        rabbit.start();
        await().until(() -> seen.distinct() == MESSAGES);
        await().ignoreExceptions().until(() -> messagesIn(queue) == 0);
        job.cancel().get();
        System.out.println("source, " + guarantee + ", broker killed: lost " + (MESSAGES - seen.distinct())
                + ", duplicates seen downstream " + seen.repetitions());
        assertThat(seen.distinct()).isEqualTo(MESSAGES);
        if (guarantee == DeliveryGuarantee.EXACTLY_ONCE) {
            assertThat(seen.repetitions()).isZero();
        }
    }

    @Test
    void aMemoryAlarmDelaysMessagesAndLosesNone() throws Exception {
        String queue = TestBroker.unique("alarm");
        Jobs.fill(rabbit, queue, 0);
        Tally sent = new Tally(queue);
        rabbit.setMemoryAlarm(true);
        JobClient job = publish(queue, Publishing.AT_ONCE, sent);
        await().until(() -> sent.distinct() > 0);
        assertThat(job.getJobStatus().get().isTerminalState()).isFalse();
        rabbit.setMemoryAlarm(false);
        job.getJobExecutionResult().get();
        assertThat(Jobs.drain(rabbit, queue)).hasSize(MESSAGES);
    }

    /**
     * A broker in need of memory has to get its acknowledgements: a sink that it blocks must not hold them back. Publishing at
     * once, checkpoints go on; on commit, the one that is complete is acknowledged and the next waits for the broker.
     */
    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSinkThatIsBlockedByAMemoryAlarmDoesNotHoldBackTheAcknowledgementsOfTheSource(Publishing publishing)
            throws Exception {
        int messages = 2_000;
        String from = TestBroker.unique("alarm-from");
        String to = TestBroker.unique("alarm-to");
        Jobs.fill(rabbit, from, messages);
        Jobs.fill(rabbit, to, 0);
        rabbit.setMemoryAlarm(true);
        var flink = Jobs.flink(0);
        flink.fromSource(
                        Jobs.source(rabbit, from, DeliveryGuarantee.AT_LEAST_ONCE)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .sinkTo(Jobs.sink(rabbit, to, publishing)
                        .setConfirmTimeout(Duration.ofSeconds(1))
                        .build());
        JobClient job = flink.executeAsync();
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
}
