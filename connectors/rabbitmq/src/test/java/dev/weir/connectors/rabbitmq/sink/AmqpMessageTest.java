package dev.weir.connectors.rabbitmq.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AmqpMessageTest {

    @Test
    void namesThatAmqpCannotCarryAreRefusedWhenTheMessageIsMade() {
        assertThatThrownBy(() -> AmqpMessage.persistent("", "k".repeat(256), "id", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("routingKey")
                .hasMessageContaining("255");
        assertThatThrownBy(() -> AmqpMessage.persistent("", "key", "ü".repeat(128), new byte[0]))
                .hasMessageContaining("messageId");
        assertThatThrownBy(() -> AmqpMessage.persistent("x".repeat(300), "key", "id", new byte[0]))
                .hasMessageContaining("exchange");
    }

    @Test
    void theLongestNamesAreTaken() {
        assertThat(AmqpMessage.persistent("", "k".repeat(255), "ü".repeat(127), new byte[0])
                        .routingKey())
                .hasSize(255);
    }

    @Test
    void whatHeadersHoldCountsAsMemoryToo() {
        Map<String, Object> headers = Map.of(
                "text", "x".repeat(1_000), "bytes", new byte[2_000], "list", List.of("y".repeat(3_000)), "number", 4);
        AmqpMessage plain = AmqpMessage.persistent("", "q", "id", new byte[10]);
        AmqpMessage full = new AmqpMessage(
                "", "q", plain.properties().builder().headers(headers).build(), plain.body());

        assertThat(full.weight() - plain.weight()).isBetween(6_000L, 7_000L);
    }
}
