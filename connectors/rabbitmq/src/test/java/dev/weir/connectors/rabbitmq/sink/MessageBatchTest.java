package dev.weir.connectors.rabbitmq.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.IOException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageBatchTest {

    private final MessageBatchSerializer serializer = new MessageBatchSerializer();

    @Test
    void everyPropertyOfAMessageSurvivesTheCheckpoint() throws IOException {
        BasicProperties properties = new BasicProperties.Builder()
                .contentType("application/json")
                .headers(Map.of("n", 5, "long", 5L, "flag", true))
                .deliveryMode(1)
                .priority(7)
                .correlationId("c")
                .expiration("1000")
                .messageId("id")
                .timestamp(new Date(1_700_000_000_000L))
                .type("job")
                .build();
        MessageBatch batch =
                new MessageBatch(List.of(new AmqpMessage("exchange", "key.ü", properties, new byte[] {1, 2, 3})));
        MessageBatch back = serializer.deserialize(serializer.getVersion(), serializer.serialize(batch));
        AmqpMessage message = back.messages().get(0);
        assertThat(message.exchange()).isEqualTo("exchange");
        assertThat(message.routingKey()).isEqualTo("key.ü");
        assertThat(message.body()).containsExactly(1, 2, 3);
        assertThat(message.properties()).isEqualTo(properties);
    }

    @Test
    void aMessageIsPersistentAndHasAnIdUnlessToldOtherwise() {
        AmqpMessage message = new AmqpMessage("", "q", new BasicProperties(), new byte[0]);
        assertThat(message.properties().getDeliveryMode()).isEqualTo(2);
        assertThat(message.properties().getMessageId()).isNotBlank();
    }

    @Test
    void stateOfAnotherVersionOrDamagedStateIsRefused() throws IOException {
        byte[] bytes =
                serializer.serialize(new MessageBatch(List.of(AmqpMessage.persistent("", "q", "id", new byte[9]))));
        assertThatThrownBy(() -> serializer.deserialize(99, bytes)).hasMessageContaining("version 99");
        assertThatThrownBy(() -> serializer.deserialize(1, java.util.Arrays.copyOf(bytes, bytes.length - 3)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aLongListIsCutWithoutLosingTheOrder() {
        List<AmqpMessage> messages = IntStream.range(0, 2_500)
                .mapToObj(n -> AmqpMessage.persistent("", "q", "m" + n, new byte[0]))
                .toList();
        List<MessageBatch> batches = MessageBatch.cut(messages);
        assertThat(batches).hasSize(3);
        assertThat(batches.stream().flatMap(batch -> batch.messages().stream())).containsExactlyElementsOf(messages);
        assertThat(batches.get(0).toString()).as("as Flink quotes it").hasSizeLessThan(200);
    }
}
