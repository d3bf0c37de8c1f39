package dev.weir.connectors.rabbitmq.faults;

import static dev.weir.connectors.rabbitmq.suite.Jobs.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.source.Bound;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.Tally;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A RabbitMQ of our own that is killed with SIGKILL in the middle of 60,000 messages, and started again. */
class KilledBrokerTest extends OwnRabbit {

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSinkLosesNothingAndWhoeverReadsExactlyOnceSeesNothingTwice(Publishing publishing) throws Exception {
        String queue = TestBroker.unique("killed-sink");
        Jobs.fill(rabbit, queue, 0);
        rabbit.keepDeclarations();
        Tally sent = new Tally(queue);
        var flink = Jobs.flink(0);
        Jobs.numbered(flink, MESSAGES, PER_SECOND)
                .map(sent)
                .returns(Types.STRING)
                .sinkTo(Jobs.sink(rabbit, queue, publishing).build());
        JobClient job = flink.executeAsync();
        await().until(() -> sent.distinct() > MESSAGES / 4 && messagesIn(queue) > 0);
        rabbit.kill();
        int atKill = sent.distinct();
        rabbit.start();
        job.getJobExecutionResult().get();
        long arrived = messagesIn(queue);
        Tally read = new Tally(queue + " read");
        var reading = Jobs.flink(0);
        reading.fromSource(
                        Jobs.source(rabbit, queue, DeliveryGuarantee.EXACTLY_ONCE)
                                .setBounded(Bound.untilEmpty())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(read)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        reading.execute();
        System.out.println("sink, " + publishing + ", broker killed after " + atKill + " of " + MESSAGES + ": lost "
                + (MESSAGES - read.distinct()) + ", duplicates " + (arrived - MESSAGES)
                + ", of which seen by an exactly-once source " + read.repetitions());
        assertThat(atKill).as("taken when the broker was killed").isBetween(MESSAGES / 4, MESSAGES - 1);
        assertThat(sent.repetitions()).as("restarts of the job").isZero();
        assertThat(read.distinct()).isEqualTo(MESSAGES);
        assertThat(read.repetitions()).isZero();
        assertThat(messagesIn(queue)).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = DeliveryGuarantee.class,
            names = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
    void aSourceLosesNothing(DeliveryGuarantee guarantee) throws Exception {
        String queue = TestBroker.unique("killed-source");
        Jobs.fill(rabbit, queue, MESSAGES);
        rabbit.keepDeclarations();
        Tally seen = new Tally(queue);
        var flink = Jobs.flink(0);
        flink.fromSource(
                        // A window for 200 ms: so it takes seconds, and there is a middle.
                        Jobs.source(rabbit, queue, guarantee).setPrefetch(3_000).build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .map(seen)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        JobClient job = flink.executeAsync();
        await().until(() -> seen.distinct() > MESSAGES / 4);
        rabbit.kill();
        int atKill = seen.distinct();
        rabbit.start();
        await().until(() -> seen.distinct() == MESSAGES);
        await().pollInterval(Duration.ofSeconds(1)).until(() -> rabbit.held(queue) == 0);
        job.cancel().get();
        System.out.println("source, " + guarantee + ", broker killed after " + atKill + " of " + MESSAGES + ": lost "
                + (MESSAGES - seen.distinct()) + ", duplicates seen downstream " + seen.repetitions());
        assertThat(atKill).as("seen when the broker was killed").isBetween(MESSAGES / 4, MESSAGES - 1);
        if (guarantee == DeliveryGuarantee.EXACTLY_ONCE) {
            assertThat(seen.repetitions()).isZero();
        }
    }
}
