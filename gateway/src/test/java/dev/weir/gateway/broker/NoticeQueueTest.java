package dev.weir.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NoticeQueueTest {

    private final ScriptedBroker broker = new ScriptedBroker();
    private final NoticeQueue queue = new NoticeQueue(broker.connection(), "notices", new Notices());

    @Test
    void itIsMadeAgainWhenTheBrokerHasRemovedIt() throws Exception {
        queue.hear("p1");
        queue.hear("p1");
        assertThat(broker.calls("queueDeclare")).isEqualTo(1);

        broker.cancels.get(0).handle("tag");
        queue.hear("p1");

        assertThat(broker.calls("queueDeclare")).isEqualTo(2);
        assertThat(broker.calls("abort")).isEqualTo(1);
    }

    @Test
    void aBrokerThatDoesNotUnbindIsAskedOnce() {
        queue.hear("p1");
        queue.hear("p2");
        broker.on("queueUnbind", () -> {
            throw new IOException("no answer");
        });

        queue.tidy();
        queue.tidy();

        assertThat(broker.calls("queueUnbind")).isEqualTo(1);
        assertThat(broker.calls("abort")).isEqualTo(1);
        queue.hear("p2");
        assertThat(broker.calls("queueDeclare")).isEqualTo(2);
    }

    @Test
    void aChannelOnWhichTheBrokerDoesNotBindIsNotUsedAgain() {
        broker.on("queueBind", () -> {
            if (broker.calls("queueBind") == 2) {
                throw new IOException("no answer");
            }
        });

        assertThatThrownBy(() -> queue.hear("p1")).isInstanceOf(BrokerAway.class);
        queue.hear("p1");

        assertThat(broker.calls("abort")).isEqualTo(1);
        assertThat(broker.calls("queueDeclare")).isEqualTo(2);
    }
}
