package dev.weir.connectors.rabbitmq.sink.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.weir.connectors.rabbitmq.broker.TestBroker;
import dev.weir.connectors.rabbitmq.common.BackOff;
import dev.weir.connectors.rabbitmq.sink.AmqpMessage;
import dev.weir.connectors.rabbitmq.sink.Publishing;
import dev.weir.connectors.rabbitmq.sink.Refused;
import dev.weir.connectors.rabbitmq.sink.Unroutable;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages at which RabbitMQ closes the channel, without saying which, among others that it takes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NeverTakenTest extends OnSharedRabbitPublishing {

    private Publisher publisher(Refused refused) {
        return publisher(SOON, Unroutable.fail(), refused);
    }

    private static AmqpMessage good(String queue, String text) {
        return AmqpMessage.persistent("", queue, text, text.getBytes(StandardCharsets.UTF_8));
    }

    private static AmqpMessage expiresSoon(String queue, String text) {
        BasicProperties properties =
                new BasicProperties.Builder().messageId(text).expiration("soon").build();
        return new AmqpMessage("", queue, properties, text.getBytes(StandardCharsets.UTF_8));
    }

    private static AmqpMessage strange(String queue, String text) {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(text)
                .headers(Map.of("strange", new StringBuilder()))
                .build();
        return new AmqpMessage("", queue, properties, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Good ones, and two that are not. */
    private static List<AmqpMessage> mixed(String queue) {
        List<AmqpMessage> messages = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            messages.add(n == 70 || n == 140 ? expiresSoon(queue, "m" + n) : good(queue, "m" + n));
        }
        return messages;
    }

    private void publishAll(Publisher publisher, List<AmqpMessage> messages) throws Exception {
        for (AmqpMessage message : messages) {
            publisher.publish(message);
        }
        publisher.awaitAllConfirmed();
    }

    private static List<String> textsWithout(String... without) {
        List<String> texts = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            texts.add("m" + n);
        }
        texts.removeAll(List.of(without));
        return texts;
    }

    @Test
    void theyCanBeDroppedAndAreCountedAndTheOthersArriveInOrder() throws Exception {
        String queue = queues.create("dropping");
        try (Publisher publisher = publisher(Refused.dropAndCount())) {
            publishAll(publisher, mixed(queue));
        }
        assertThat(metrics.refused().getCount()).isEqualTo(2);
        assertThat(new LinkedHashSet<>(queues.take(queue))).containsExactlyElementsOf(textsWithout("m70", "m140"));
    }

    @Test
    void anotherMessageCanTakeTheirPlace() throws Exception {
        String queue = queues.create("handing-on");
        String refused = queues.create("refused");
        Refused handOn = Refused.handOn(
                (message, reason) -> good(refused, new String(message.body(), StandardCharsets.UTF_8) + ": " + reason));
        try (Publisher publisher = publisher(handOn)) {
            publishAll(publisher, mixed(queue));
        }
        assertThat(new LinkedHashSet<>(queues.take(queue))).containsExactlyElementsOf(textsWithout("m70", "m140"));
        assertThat(new LinkedHashSet<>(queues.take(refused)))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("m70: 406 PRECONDITION_FAILED"),
                        second -> assertThat(second).startsWith("m140: 406 PRECONDITION_FAILED"));
    }

    @Test
    void unlessToldOtherwiseTheSinkFailsAndSaysWhichItWas() throws Exception {
        String queue = queues.create("failing");
        try (Publisher publisher = publisher(Refused.fail())) {
            assertThatThrownBy(() -> publishAll(publisher, mixed(queue)))
                    .hasMessageContaining("id m70")
                    .hasMessageContaining("PRECONDITION_FAILED")
                    .hasMessageContaining("setRefused");
        }
    }

    @Test
    void whatStandsForOneAndIsRefusedTooFailsTheSink() throws Exception {
        String queue = queues.create("twice");
        try (Publisher publisher = publisher(Refused.handOn((message, reason) -> expiresSoon(queue, "again")))) {
            assertThatThrownBy(() -> publishAll(publisher, mixed(queue))).hasMessageContaining("id again");
        }
    }

    /** Not an exception, but an error, as from a class that is missing. */
    @Test
    void aHandlerThatBreaksFailsTheSinkAtOnce() throws Exception {
        String queue = queues.create("breaking");
        Refused breaks = Refused.handOn((message, reason) -> {
            throw new NoClassDefFoundError("Handler");
        });
        try (Publisher publisher = publisher(breaks)) {
            assertThatThrownBy(() -> publishAll(publisher, mixed(queue)))
                    .hasMessageContaining("id m70")
                    .hasRootCauseInstanceOf(NoClassDefFoundError.class);
        }
    }

    @Test
    void aMessageThatAmqpCannotEncodeIsOneOfThem() throws Exception {
        String queue = queues.create("encoding");
        try (Publisher publisher = publisher(Refused.dropAndCount())) {
            publishAll(publisher, List.of(good(queue, "m1"), strange(queue, "m2"), good(queue, "m3")));
        }
        assertThat(metrics.refused().getCount()).isEqualTo(1);
        assertThat(new LinkedHashSet<>(queues.take(queue))).containsExactly("m1", "m3");
    }

    /** Publishing on commit, the message is in a checkpoint, and no change of the program would get it out. */
    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aJobGoesOnWithoutThem(Publishing publishing) throws Exception {
        String queue = queues.create("job");
        var flink = Jobs.flink(0);
        flink.fromSequence(0, 199)
                .map(n -> "m" + n)
                .returns(Types.STRING)
                .sinkTo(Jobs.sink(broker, queue, publishing)
                        .setRouter(text -> switch (text) {
                            case "m70" -> expiresSoon(queue, text);
                            case "m71" -> strange(queue, text);
                            default -> good(queue, text);
                        })
                        .setRefused(Refused.dropAndCount())
                        .build());
        flink.execute();
        assertThat(new LinkedHashSet<>(queues.take(queue))).containsExactlyElementsOf(textsWithout("m70", "m71"));
    }

    /** Pauses grow while nothing moves; a queue that takes some of each round is not such a case: grown, they would last 40 s. */
    @Test
    void aFullQueueThatIsBeingReadDoesNotSlowTheSinkDown() throws Exception {
        String full = declareFullSoon(TestBroker.unique("full"));
        var reading = queues.channel().getConnection().createChannel();
        reading.basicQos(10);
        reading.basicConsume(
                full,
                false,
                (tag, delivery) -> reading.basicAck(delivery.getEnvelope().getDeliveryTag(), false),
                tag -> {});
        BackOff growing = new BackOff(Duration.ofMillis(20), Duration.ofSeconds(10), Duration.ofSeconds(90));
        long begun = System.nanoTime();
        try (Publisher publisher = publisher(growing, Unroutable.fail(), Refused.fail())) {
            for (int n = 0; n < 100_000 && metrics.reconnects().getCount() < 12; n++) {
                publisher.publish(good(full, "m" + n));
            }
            publisher.awaitAllConfirmed();
        } finally {
            queues.channel().queueDelete(full);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertThat(metrics.reconnects().getCount()).as("rounds").isGreaterThanOrEqualTo(12);
        assertThat(took).isLessThan(Duration.ofSeconds(30));
    }

    /** Written once without, the broker would be one message behind the channel's count. */
    @Test
    void aMessageThatAnErrorKeptFromTheBrokerIsRepeatedOnAnotherChannelAndNoConfirmIsTakenForItsOwn() throws Exception {
        String queue = queues.create("error");
        FailsOnce header = new FailsOnce();
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("first")
                .headers(Map.of("nested", header))
                .build();
        AmqpMessage first = new AmqpMessage("", queue, properties, "first".getBytes(StandardCharsets.UTF_8));
        try (Publisher publisher = publisher(Refused.fail())) {
            header.armed = true;
            assertThatThrownBy(() -> publisher.publish(first)).isInstanceOf(OutOfMemoryError.class);
            publishAll(publisher, List.of(good(queue, "second"), good(queue, "third")));
        }
        assertThat(new LinkedHashSet<>(queues.take(queue))).containsExactly("first", "second", "third");
    }

    private static final class FailsOnce extends HashMap<String, Object> {
        private static final long serialVersionUID = 1;
        private volatile boolean armed;

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            if (armed) {
                armed = false;
                throw new OutOfMemoryError("simulated");
            }
            return super.entrySet();
        }
    }
}
