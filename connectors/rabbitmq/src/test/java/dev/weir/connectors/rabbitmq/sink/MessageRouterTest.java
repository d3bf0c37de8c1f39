package dev.weir.connectors.rabbitmq.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.connectors.rabbitmq.broker.EmbeddedBroker;
import dev.weir.connectors.rabbitmq.suite.Jobs;
import dev.weir.connectors.rabbitmq.suite.TextQueues;
import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.FlinkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How records become messages. */
class MessageRouterTest {

    /** Like most of Flink's, it must be opened; and of some records it makes nothing. */
    private static final class Exclaiming implements SerializationSchema<String> {
        private transient String mark;

        @Override
        public void open(InitializationContext context) {
            mark = context.getMetricGroup() == null ? "" : "!";
        }

        @Override
        public byte[] serialize(String text) {
            return text.equals("b") ? null : text.concat(mark).getBytes(UTF_8);
        }
    }

    @ParameterizedTest
    @EnumSource(Publishing.class)
    void aSchemaOfFlinksIsOpenedAndMakesBodiesOrSkipsRecords(Publishing publishing) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start();
                TextQueues queues = new TextQueues(broker)) {
            String queue = queues.create("schema");
            var flink = Jobs.flink(0);
            flink.fromData("a", "b", "c")
                    .sinkTo(Jobs.sink(broker, queue, publishing)
                            .setRouter(MessageRouter.ofBody("", queue, new Exclaiming(), text -> "id-" + text))
                            .build());
            flink.execute();
            assertThat(queues.channel().basicGet(queue, true).getProps().getMessageId())
                    .isEqualTo("id-a");
            assertThat(queues.take(queue)).containsExactly("c!");
        }
    }

    private static Routing<String> routing(MessageRouter<String> router) {
        PublisherMetrics metrics = PublisherMetrics.detached(new UnregisteredMetricsGroup());
        return new Routing<>(router, Refused.fail(), metrics);
    }

    @Test
    void aRouterMayThrowWhatItLikes() {
        Routing<String> checked = routing(text -> {
            throw new FlinkException("not this one");
        });
        assertThatThrownBy(() -> checked.route("any"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The router failed at a record")
                .hasMessageContaining("not this one");
        Routing<String> interrupted = routing(text -> {
            throw new InterruptedException();
        });
        assertThatThrownBy(() -> interrupted.route("any")).isInstanceOf(InterruptedException.class);
    }

    @Test
    void noMessageSkipsTheRecord() throws Exception {
        assertThat(routing(text -> null).route("any")).isNull();
    }

    @Test
    void aRoutingKeyThatAmqpCannotCarryIsRefusedBeforeTheJobStarts() {
        assertThatThrownBy(() -> MessageRouter.ofBody("", "k".repeat(256), new Exclaiming(), text -> text))
                .hasMessageContaining("routingKey must be at most 255 bytes");
    }
}
