package dev.weir.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class RejectedQueueTest {

    private final ScriptedBroker broker = new ScriptedBroker();
    private final RejectedQueue queue = new RejectedQueue(broker.connection(), "rejected");

    @Test
    void aChannelOnWhichTheBrokerDidNotAnswerIsNotUsedAgain() {
        broker.on("basicGet", () -> {
            if (broker.calls("basicGet") == 1) {
                throw new IOException("no answer");
            }
        });

        assertThatThrownBy(() -> queue.look(message -> true)).isInstanceOf(BrokerAway.class);
        assertThat(queue.look(message -> true)).isZero();

        assertThat(broker.calls("abort")).isEqualTo(1);
        assertThat(broker.calls("createChannel")).isEqualTo(2);
    }
}
