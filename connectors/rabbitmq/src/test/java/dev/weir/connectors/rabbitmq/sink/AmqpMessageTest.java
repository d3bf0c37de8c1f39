package dev.weir.connectors.rabbitmq.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
